// The same run against agents of others: one that echoes, one that asks, one that dies, one that is not there.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { leftOf } from "../process/process-mark.ts";
import { ensureBuilt } from "../program/built.ts";
import { ended } from "../program/run-program.ts";
import { headless, resultOf, startHeadless } from "./headless.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const tsx = import.meta.resolve("tsx");
/** The examples run on the sources, whatever is being built meanwhile. */
const env = { TSX_TSCONFIG_PATH: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) };
const example = (name: string): string =>
  `"${process.execPath}" --import ${tsx} '${fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url))}'`;

test("echo-agent answers as our own would", async () => {
  expect(await headless(["run", "--agent", example("echo-agent"), "how are you?"], { env })).toEqual({
    code: 0,
    stdout: "Echo: how are you?\n",
    stderr: "",
  });
  const run = await headless(["run", "--agent", example("echo-agent"), "--format", "json", "hi"], {
    input: "there",
    env,
  });
  expect(resultOf(run)).toEqual({
    status: "ok",
    session_id: expect.any(String),
    cwd: expect.any(String),
    stop_reason: "end_turn",
    final_text: "Echo: hi\n\nStandard input:\n```\nthere\n```",
    usage: { total_tokens: 0 },
    tool_calls: 0,
    finish_reason_missing: false,
    warnings: [],
  });
});

test("an agent of the official SDK answers as well, update by update", async () => {
  const agent = fileURLToPath(new URL("../interop/official-streaming-agent.ts", import.meta.url));
  const command = `"${process.execPath}" --import ${tsx} '${agent}'`;
  const run = await headless(["run", "--agent", command, "--format", "stream-json", "7"], { env });
  const kinds = run.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).sessionUpdate);
  const [thought, said] = ["agent_thought_chunk", "agent_message_chunk"];
  expect(kinds).toEqual(["session_info_update", thought, said, said, said, said, thought, said, undefined]);
  expect(resultOf(run)).toMatchObject({
    status: "ok",
    session_id: "sess-1",
    final_text: expect.stringMatching(/^6\.+$/),
  });
});

test("permission-agent is refused what no rule allows, and the run says what was missing", async () => {
  const cwd = temporaryFolder();
  const run = await headless(["run", "--agent", example("permission-agent"), "--format", "json", "go"], { cwd, env });
  expect(run.code).toBe(3);
  expect(resultOf(run).error).toMatchObject({
    type: "permission_required",
    message: expect.stringContaining("--allow"),
  });
  expect(existsSync(join(cwd, "note.txt"))).toBe(false);
});

test.each<[string, string[], string]>([
  ["no models", ["--model", "x"], "this agent has no models to choose from"],
  ["no modes", ["--mode", "plan"], 'there is no mode "plan"; this agent has none'],
  ["no stored sessions", ["--continue"], "this agent cannot list its sessions"],
])("an agent with %s says so", async (_, args, problem) => {
  const run = await headless(["run", "--agent", example("echo-agent"), ...args, "hi"], { env });
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
});

test.each<[string, string, number, string]>([
  ["is not there", "agentao-no-such-program", 1, "cannot start the agent agentao-no-such-program"],
  ["dies at once", `${process.execPath} -e 'console.error("no licence"); process.exit(7)'`, 1, "no licence"],
  ["is no command line", "'unclosed", 2, "the command of --agent cannot be used: a ' is not closed"],
])("an agent that %s is a failure in words", async (_, agent, code, problem) => {
  const run = await headless(["run", "--agent", agent, "hi"]);
  expect(run).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(problem) });
});

/** An agent of a few lines: `answers` has what it does for each method, by `say`. */
function scriptAgent(answers: string, session: object = { sessionId: "s" }): string {
  const script = join(temporaryFolder(), "agent.mjs");
  writeFileSync(
    script,
    `const say = (frame) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...frame }) + "\\n");
    const tell = (update) => say({ method: "session/update", params: { sessionId: "s", update } });
    const speak = (text) => tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    let rest = "";
    process.stdin.on("data", (data) => {
      const lines = (rest + data).split("\\n");
      rest = lines.pop();
      for (const { id, method, result } of lines.map((line) => JSON.parse(line))) {
        if (method === "initialize") say({ id, result: { protocolVersion: 1 } });
        if (method === "session/new") say({ id, result: ${JSON.stringify(session)} });
        ${answers}
      }
    });`,
  );
  return `${process.execPath} ${script}`;
}

describe("an agent that asks in its own words", () => {
  const asks = (): string =>
    scriptAgent(`
    if (method === "session/prompt") {
      globalThis.prompt = id;
      const toolCall = { toolCallId: "c1", title: "harmless", kind: "execute", rawInput: { command: "npm test" } };
      const options = [
        { optionId: "ever", kind: "allow_always", name: "Always" },
        { optionId: "yes", kind: "allow_once", name: "Yes" },
        { optionId: "no", kind: "reject_once", name: "No" },
      ];
      say({ id: 99, method: "session/request_permission", params: { sessionId: "s", toolCall, options } });
    }
    if (id === 99) {
      speak("It said " + result.outcome.optionId);
      say({ id: globalThis.prompt, result: { stopReason: "end_turn" } });
    }
  `);

  test.each<[string, string[], object]>([
    ["is told yes, once, by a rule", ["--allow", "execute(npm *)"], { status: "ok", final_text: "It said yes" }],
    [
      "is told no where a rule denies what another allows",
      ["--allow", "execute", "--deny", "execute(npm test)"],
      { error: { type: "permission_denied", matched_rule: "--deny execute(npm test)", tool_call_id: "c1" } },
    ],
    [
      "is told no where no rule speaks about it",
      ["--allow", "execute(npm run *)"],
      { error: { type: "permission_required", message: expect.stringContaining("--allow 'execute(npm test)'") } },
    ],
  ])("%s", async (_, args, result) => {
    const run = await headless(["run", "--format", "json", "--agent", asks(), ...args, "hi"]);
    expect(resultOf(run)).toMatchObject(result);
  });
});

describe("an agent that asks for what is ours", () => {
  const borrows = (): string =>
    scriptAgent(`
    const ask = (id, method, params) => say({ id, method, params: { sessionId: "s", ...params } });
    if (method === "session/prompt") {
      globalThis.prompt = id;
      ask(90, "fs/read_text_file", { path: process.cwd() + "/a.txt" });
      ask(91, "fs/read_text_file", { path: "/etc/hostname" });
      ask(92, "fs/write_text_file", { path: process.cwd() + "/b.txt", content: "b" });
      ask(93, "terminal/create", { command: "true" });
    }
    globalThis.answers ??= {};
    if (id >= 90) answers[id] = result === undefined ? "no" : result.content ?? "yes";
    if (Object.keys(answers).length === 4) {
      speak(JSON.stringify(answers));
      say({ id: globalThis.prompt, result: { stopReason: "end_turn" } });
      answers = {};
    }
  `);

  test.each<[string, string[], object]>([
    ["reads its folder, and nothing more", [], { 90: "mine", 91: "no", 92: "no", 93: "no" }],
    ["gets what is lent", ["--lend", "write,terminal"], { 90: "mine", 91: "no", 92: "yes", 93: "yes" }],
  ])("%s", async (_, args, answers) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "a.txt"), "mine");
    const run = await headless(["run", "--agent", borrows(), ...args, "hi"], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual(answers);
    expect(existsSync(join(cwd, "b.txt"))).toBe(args.length > 0);
  });

  test.each([
    [["--lend", "all", "--agent", "x"], "--lend is write, terminal or write,terminal"],
    [["--lend", "write"], "--lend needs an --agent to lend to"],
  ])("%j is refused", async (args, problem) => {
    const run = await headless(["run", ...args, "hi"]);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
  });
});

test("an agent that takes one step too many is stopped", async () => {
  const busy = scriptAgent(`
    if (method === "session/prompt") {
      globalThis.prompt = id;
      for (const toolCallId of ["a", "b", "c"]) {
        tell({ sessionUpdate: "tool_call", toolCallId, title: toolCallId, status: "in_progress" });
        tell({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
      }
    }
    if (method === "session/cancel") say({ id: globalThis.prompt, result: { stopReason: "cancelled" } });
  `);
  const run = await headless(["run", "--format", "json", "--agent", busy, "--max-turns", "2", "hi"]);
  expect([run.code, resultOf(run).error.type]).toEqual([4, "max_iterations"]);
});

test("the result names the model that was chosen", async () => {
  const configOptions = (currentValue: string): object[] => [
    { id: "model", name: "Model", category: "model", type: "select", currentValue, options: [] },
  ];
  const agent = scriptAgent(
    `
    const chosen = { configOptions: ${JSON.stringify(configOptions("new"))} };
    if (method === "session/set_config_option") say({ id, result: chosen });
    if (method === "session/prompt") {
      speak("Said.");
      say({ id, result: { stopReason: "end_turn" } });
    }
  `,
    { sessionId: "s", configOptions: configOptions("old") },
  );
  const run = async (...args: string[]) =>
    resultOf(await headless(["run", "--agent", agent, "--format", "json", ...args, "hi"]));
  expect(await run()).toMatchObject({ status: "ok", model: "old" });
  expect(await run("--model", "new")).toMatchObject({ status: "ok", model: "new" });
});

test("an agent that does not stop is left behind, and nothing of it remains", async () => {
  const deaf = scriptAgent(`
    if (method === "session/prompt") speak("listening");
    setInterval(() => {}, 1000);
    process.on("SIGTERM", () => {});
  `);
  const program = startHeadless(["run", "--agent", deaf, "--format", "stream-json", "hi"]);
  await program.frame((frame) => JSON.stringify(frame).includes("listening"));
  const children = program.descendants();
  program.child.kill("SIGINT");
  const run = await ended(program);
  expect(run.code).toBe(130);
  expect(resultOf(run)).toMatchObject({ error: { type: "interrupted" }, partial_text: "listening" });
  expect(children.length).toBeGreaterThan(0);
  expect(await leftOf(children, 2_000)).toEqual([]);
});
