// An MCP server that misbehaves on demand, without any library: flags say how, tools say when.

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const flags = new Set(process.argv.slice(2));
const option = (name) => [...flags].find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tool = (name, properties = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object", properties },
});
const say = (id, text, more = {}) => send({ id, result: { content: [{ type: "text", text }], ...more } });

const tools = [
  tool(option("tool") ?? "echo", { text: { type: "string" } }),
  ...["slow", "die", "huge", "grow", "flood", "environment", "pid", "family", "progress", "ask", "sample"].map((name) =>
    tool(name),
  ),
  ...["seen", "broken", "roots"].map((name) => tool(name)),
];
const cancelled = [];
const waiting = new Map();
const asked = new Map();
let nextId = 1_000;

if (flags.has("--stubborn")) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}
if (flags.has("--garbage")) {
  process.stdout.write("Welcome to the odd server!\n\n{ not json }\n[1, 2]\n");
  process.stderr.write(`the token is ${process.env.ODD_TOKEN}\n`);
}
if (flags.has("--flood")) for (let line = 0; line < 20_000; line++) process.stdout.write(`noise ${line}\n`);
if (flags.has("--die-at-start")) {
  process.stderr.write(`cannot start: bad token ${process.env.ODD_TOKEN}\n`);
  process.exitCode = 3;
} else {
  const record = option("record");
  if (record !== undefined) appendFileSync(record, `${process.pid}\n`);
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (!flags.has("--silent")) handle(JSON.parse(line));
  });
  if (flags.has("--silent") || flags.has("--stubborn")) setInterval(() => {}, 1_000);
}

function handle({ id, method, params, result, error }) {
  if (method === undefined) {
    asked.get(id)?.(result ?? error);
    return;
  }
  switch (method) {
    case "initialize":
      send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: "odd", version: "1" },
        },
      });
      return;
    case "tools/list":
      list(id, params?.cursor);
      return;
    case "tools/call":
      call(id, params.name, params.arguments ?? {}, params._meta?.progressToken);
      return;
    case "notifications/cancelled":
      cancelled.push(params.requestId);
      clearTimeout(waiting.get(params.requestId));
      return;
  }
  if (id !== undefined) send({ id, error: { code: -32601, message: `no ${method}` } });
}

function list(id, cursor) {
  const pages = Number(option("pages") ?? 1);
  if (flags.has("--circle"))
    return send({ id, result: { tools: [tool("one")], nextCursor: cursor === "a" ? "a" : "a" } });
  if (flags.has("--deep")) {
    const schema = `${'{"items":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
    const deep = `{"name":"deep","inputSchema":{"type":"array","items":${schema}}}`;
    return process.stdout.write(
      `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${deep},${JSON.stringify(tool("flat"))}]}}\n`,
    );
  }
  if (flags.has("--no-list")) return send({ id, result: { tools: "none" } });
  const page = Number(cursor ?? 0);
  const many = Number(option("many") ?? 0);
  const here =
    many > 0
      ? Array.from({ length: many }, (_, at) => tool(`t${page}_${at}`))
      : page === 0
        ? tools
        : [tool(`page${page}`)];
  send({ id, result: { tools: here, ...(page + 1 < pages && { nextCursor: String(page + 1) }) } });
}

function ask(method, params) {
  const id = nextId++;
  send({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

async function call(id, name, args, progressToken) {
  switch (name) {
    case "slow":
      waiting.set(
        id,
        setTimeout(() => say(id, "at last"), args.ms ?? 60_000),
      );
      return;
    case "die":
      process.stderr.write("I am dying\n", () => process.exit(9));
      return;
    case "huge":
      return say(id, "x".repeat(args.chars));
    case "grow":
      tools.push(tool(args.name));
      for (let time = 0; time < 5; time++) send({ method: "notifications/tools/list_changed" });
      return say(id, "grown");
    case "flood":
      for (let line = 0; line < args.lines; line++) process.stderr.write(`complaint ${line}\n`);
      return say(id, "flooded");
    case "environment":
      return say(id, JSON.stringify(process.env));
    case "pid":
      return say(id, String(process.pid));
    case "family": {
      const child = spawn("sleep", ["600"], { stdio: "ignore" });
      return say(id, `${process.pid} ${child.pid}`);
    }
    case "progress": {
      const notes = [1, 2, 3].map((progress) => ({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken, progress, total: 3, message: "Walking" },
      }));
      const answer = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "there" }] } };
      process.stdout.write([...notes, answer].map((one) => `${JSON.stringify(one)}\n`).join(""));
      return;
    }
    case "ask":
      return say(
        id,
        JSON.stringify(
          await ask("elicitation/create", {
            message: "Which?",
            requestedSchema: { type: "object", properties: { which: { type: "string" } } },
          }),
        ),
      );
    case "sample":
      return say(
        id,
        JSON.stringify(
          await ask("sampling/createMessage", {
            maxTokens: 10,
            messages: [{ role: "user", content: { type: "text", text: "Hm?" } }],
          }),
        ),
      );
    case "roots":
      return say(id, JSON.stringify(await ask("roots/list")));
    case "seen":
      return say(id, JSON.stringify(cancelled));
    case "broken":
      return say(id, "it broke", { isError: true });
    default:
      return say(id, `${name}: ${args.text}`);
  }
}
