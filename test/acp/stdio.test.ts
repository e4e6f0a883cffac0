// An agent and a client as real processes: stdout stays pure, ends are orderly, deaths are explained.

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { spawnAgent } from "@agentao/acp/node";
import { afterEach, describe, expect, test } from "vitest";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";

const program = (name: string): [string, ...string[]] => [
  process.execPath,
  "--import",
  "tsx",
  fileURLToPath(new URL(`./program/${name}.ts`, import.meta.url)),
];
const echoAgent: [string, ...string[]] = [
  process.execPath,
  "--import",
  "tsx",
  fileURLToPath(new URL("../../examples/echo-agent.ts", import.meta.url)),
];
const script = (code: string): [string, ...string[]] => [process.execPath, "-e", code];

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Runs an agent by hand: what is typed goes in, what comes out is collected until it exits. */
function run(command: readonly string[]) {
  const [first = "", ...args] = command;
  const child = spawn(first, args, { stdio: "pipe" });
  children.push(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exited = new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>(
    (resolve) => {
      child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    },
  );
  return { child, exited, heard: () => ({ stdout, stderr }) };
}

const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const hello = request(0, "initialize", { protocolVersion: 1 });
const open = request(1, "session/new", { cwd: "/", mcpServers: [] });
const prompt = request(2, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "hi" }] });

const PRINTERS = [
  "console.log",
  "process.stdout",
  "writeSync",
  "fs.writeSync",
  "fs.write",
  "fs.writeFileSync",
  "fs.appendFileSync",
  "process.stdout.end",
];

describe("stdout", () => {
  test("C-053 Z-15 carries the protocol only, whatever else prints", async () => {
    const { child, exited } = run(program("noisy-agent"));
    child.stdin?.end(hello + open + prompt);
    const { code, stdout, stderr } = await exited;
    const frames = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(frames.map((frame) => frame.id ?? frame.method)).toEqual([0, 1, "session/update", 2]);
    for (const how of PRINTERS) {
      for (const when of ["early", "late", "in a handler", "in a turn"]) expect(stderr).toContain(`${how} ${when}`);
    }
    expect(code).toBe(0);
  });
});

describe("the end of input", () => {
  test("C-059 ends the agent with code 0 after its answers", async () => {
    const { child, exited } = run(echoAgent);
    child.stdin?.end(hello + open + prompt.trimEnd());
    const { code, stdout, stderr } = await exited;
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id ?? "update"),
    ).toEqual([0, 1, "update", 2]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a client that is gone ends the agent", async () => {
    const { child, exited } = run(echoAgent);
    child.stdin?.write(hello);
    child.stdout?.destroy();
    child.stdin?.end(open);
    expect((await exited).code).toBe(0);
  });
});

describe("spawnAgent", () => {
  test("C-060 closes by the end of input, and the agent's group is gone", async () => {
    const client = await spawnAgent(echoAgent);
    await client.initialize();
    const { pid } = client.process;
    await client.close();
    expect(await client.process.exited).toEqual({ exitCode: 0, signal: null });
    expect(isAlive(pid)).toBe(false);
  });

  test("C-060 ends an agent that ignores the end of input and SIGTERM, and its children", async () => {
    const client = await spawnAgent(program("stubborn-agent"), {}, { graceMs: 200 });
    await client.initialize();
    const { _meta } = await client.newSession({ cwd: "/" });
    const pids = _meta?.pids as number[];
    expect(pids.map(isAlive)).toEqual([true, true]);
    await client.close();
    await until(() => !pids.some(isAlive));
    expect(await client.process.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  test("says why an agent cannot be started", async () => {
    await expect(spawnAgent(["no-such-agent-program"])).rejects.toMatchObject({
      type: "spawn",
      message: expect.stringContaining("cannot start the agent no-such-agent-program: no such program"),
    });
  });

  test("puts exit status and last words into the error of pending calls", async () => {
    const client = await spawnAgent(
      script(
        "console.error('no API key found'); process.exitCode = 3; process.stdin.once('data', () => process.exit())",
      ),
    );
    const message = `the agent ${process.execPath} exited with code 3. It last wrote:\nno API key found`;
    await expect(client.initialize()).rejects.toMatchObject({ type: "closed", message });
    expect((await client.closed).message).toBe(message);
  });

  test("explains a kill -9 in the middle of a turn", async () => {
    const client = await spawnAgent(program("stubborn-agent"));
    await client.initialize();
    const { _meta } = await client.newSession({ cwd: "/" });
    const turn = client.prompt("s", "go");
    process.kill(client.process.pid, "SIGKILL");
    await expect(turn.result).rejects.toMatchObject({ message: expect.stringContaining("was ended by SIGKILL") });
    await client.closed;
    const pids = _meta?.pids as number[];
    await until(() => !pids.some(isAlive));
  });

  test("notices the death of an agent that left a child holding its pipes", async () => {
    const leave = "require('child_process').spawn('sleep', ['30'], { stdio: ['ignore', 'inherit', 'inherit'] })";
    const client = await spawnAgent(script(`${leave}; console.error('bye'); setTimeout(() => process.exit(7), 50)`));
    await expect(client.initialize()).rejects.toMatchObject({
      message: expect.stringMatching(/exited with code 7\. It last wrote:\nbye$/),
    });
    await client.closed;
  });

  test.each<[string, readonly string[], object]>([
    ["an empty list", [], {}],
    ["a folder that is a file", [process.execPath], { cwd: process.execPath }],
    ["a NUL in an argument", [process.execPath, "\0"], {}],
  ])("refuses %s with a reason", async (_, command, options) => {
    await expect(spawnAgent(command, {}, options)).rejects.toMatchObject({ name: "LocalError", type: "spawn" });
  });

  test("an agent ends although its client does not read what it sends", async () => {
    const { child } = run(program("flooding-agent"));
    child.stdout?.pause();
    child.stdin?.end(hello + open + prompt);
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });

  test("survives an agent that prints to stdout", async () => {
    const reply = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}';
    const client = await spawnAgent(
      script(`process.stdin.once('data', () => console.log('loading...\\n${reply}')); process.stdin.resume()`),
    );
    expect(await client.initialize()).toEqual({ protocolVersion: 1 });
    await client.close();
  });

  test("C-055 is not blocked by an agent that floods stderr, and keeps only its end", async () => {
    const flood = "for (let i = 0; i < 20000; i++) console.error('x'.repeat(100));";
    const client = await spawnAgent(script(`${flood} console.error('the end'); process.exitCode = 1`));
    await expect(client.initialize()).rejects.toMatchObject({ message: expect.stringMatching(/the end$/) });
    expect(client.process.lastWords.length).toBeLessThan(10_000);
  });

  test("times out on an agent that says nothing, and can still be closed", async () => {
    const client = await spawnAgent(script("setInterval(() => {}, 1000)"), {}, { graceMs: 50 });
    await expect(client.initialize({}, { timeoutMs: 50 })).rejects.toMatchObject({ type: "timeout" });
    await client.close();
    expect(isAlive(client.process.pid)).toBe(false);
  });
});

describe("memory", () => {
  test("un-awaited sends to a client that does not read end in a refusal, not in growth", async () => {
    const { child, heard } = run(program("flooding-agent"));
    child.stdout?.pause();
    child.stdin?.write(hello + open + prompt);
    await until(() => heard().stderr.endsWith("}"));
    const { sent, refusal, rssMb } = JSON.parse(heard().stderr);
    expect(refusal).toBe("overflow");
    expect(sent).toBeLessThan(40_000);
    expect(rssMb).toBeLessThan(400);
  });
});
