// The proxy between real processes: every byte gets through, deaths are handed on, and what is wrong is said.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { commandOf, type Library } from "../interop/pair.ts";
import {
  cleanUp,
  cli,
  echoAgent,
  ensureBuilt,
  framesOf,
  hello,
  isAlive,
  open,
  prompt,
  recordingOf,
  request,
  run,
  script,
  scriptedAgent,
  start,
  temporaryFolder,
  until,
} from "./cli.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const proxy = (...args: string[]): string[] => cli("acp", "proxy", ...args);
const node = (code: string): string[] => [process.execPath, "-e", code];
const recordingFile = (): string => join(temporaryFolder(), "recording.jsonl");

describe("bytes", () => {
  test("a client and an agent do not notice it", async () => {
    const file = recordingFile();
    const [direct, traced] = await Promise.all([
      run(script("examples/client.ts", "Hi", ...echoAgent)),
      run(script("examples/client.ts", "Hi", ...proxy("--record", file, "--quiet", "--", ...echoAgent))),
    ]);
    expect(traced).toEqual(direct);
    expect(
      framesOf(file).map(({ from, frame, method, breaches }) => [from, nameOf(frame) ?? method, breaches]),
    ).toEqual([
      ["client", "initialize", undefined],
      ["agent", "initialize", undefined],
      ["client", "session/new", undefined],
      ["agent", "session/new", undefined],
      ["client", "session/prompt", undefined],
      ["agent", "session/update", undefined],
      ["agent", "session/prompt", undefined],
    ]);
  });

  test.each<[Library, Library]>([
    ["official", "official"],
    ["official", "our"],
    ["our", "official"],
  ])("%s client and %s agent say all they have to say", async (client, agent) => {
    const file = recordingFile();
    const agentCommand = commandOf(`${agent}-agent`, "everyMethod");
    const [direct, traced] = await Promise.all([
      run(commandOf(`${client}-client`, "everyMethod", ...agentCommand)),
      run(commandOf(`${client}-client`, "everyMethod", ...proxy("--record", file, "--quiet", "--", ...agentCommand))),
    ]);
    expect(JSON.parse(traced.stdout)).toEqual(JSON.parse(direct.stdout));
    expect(framesOf(file).length).toBeGreaterThan(50);
  });

  test("any bytes come out as they went in, also a line of 5 MB, bad UTF-8 and a last line without an end", async () => {
    const long = `{"jsonrpc":"2.0","method":"_x/y","params":"${"ab-c ".repeat(1024 * 1024)}"}\n`;
    const bytes = Buffer.concat([
      Buffer.from(long),
      Buffer.from([0xff, 0xfe, 0x00, 10, 13, 10, 10]),
      Buffer.from('{"torn":'),
    ]);
    const file = recordingFile();
    const finished = await run(proxy("--record", file, "--", "cat"), bytes);
    expect(finished.bytes.equals(bytes)).toBe(true);
    expect(finished.code).toBe(0);
    const rules = framesOf(file)
      .filter(({ from }) => from === "client")
      .map(({ breaches, bytes: size }) => [size, breaches?.map(({ rule }) => rule)]);
    expect(rules).toEqual([
      [long.length - 1, ["long-line", "not-initialized"]],
      [3, ["not-json"]],
      [8, ["not-json"]],
    ]);
  });

  test("an answer passes before the end of the input, and the client's pace is kept", async () => {
    const { child, finished, stdout } = start(
      proxy(
        "--",
        ...node(`
      const size = 8 * 1024 * 1024;
      process.stdin.once("data", () => process.stdout.write(Buffer.alloc(size, 97), () => process.exit(0)));
    `),
      ),
    );
    child.stdout.pause();
    child.stdin.write(hello);
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.stdout.resume();
    expect((await finished).bytes.length).toBe(8 * 1024 * 1024);
    expect(stdout().length).toBe(8 * 1024 * 1024);
  });
});

describe("ends", () => {
  test("the agent's exit code is ours, and its last words come first", async () => {
    const { child, finished } = start(proxy("--quiet", "--", ...scriptedAgent("die", "7")));
    child.stdin.write(hello + open + prompt(2, "x"));
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(7);
    expect(stdout).toContain("I am going");
    expect(stderr).toBe("scripted agent: die\nlast words of the agent\n");
  });

  test("an agent that is killed gives 128 and the signal, and what it left open is told", async () => {
    const file = recordingFile();
    const { child, finished } = start(
      proxy("--record", file, "--", ...node("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)")),
    );
    child.stdin.write(hello);
    const { code, stderr } = await finished;
    expect(code).toBe(137);
    expect(stderr).toContain("never answered: initialize of the client");
    expect(recordingOf(file).at(-1)).toMatchObject({
      type: "end",
      by: "agent",
      signal: "SIGKILL",
      unanswered: [{ from: "client", method: "initialize", id: 0 }],
    });
  });

  test("a client that ends its input ends the agent", async () => {
    const { code, stdout } = await run(proxy("--", ...scriptedAgent()), hello + open + prompt(2, "bye"));
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(5);
  });

  test("a client that dies takes the agent with it, also one that does not look at its input", async () => {
    const { child, finished } = start(
      proxy("--", ...node("console.log(process.pid); setInterval(() => console.log('x'), 20)")),
    );
    const pid = await new Promise<number>((resolve) => {
      child.stdout.once("data", (chunk: Buffer) => resolve(Number.parseInt(chunk.toString(), 10)));
    });
    child.stdout.destroy();
    child.stdin.destroy();
    await finished;
    await until(() => !isAlive(pid), "the agent is gone");
  });

  test("Ctrl-C reaches the agent, whose answer to it is the exit code", async () => {
    const { child, finished, stdout } = start(
      proxy(
        "--quiet",
        "--",
        ...node("process.on('SIGINT', () => process.exit(5)); console.log(1); setInterval(() => {}, 1e3)"),
      ),
    );
    await until(() => stdout() === "1\n", "the agent is up");
    child.kill("SIGINT");
    expect((await finished).code).toBe(5);
  });

  test("an agent that ignores signals is killed", async () => {
    const { child, finished, stdout } = start(
      proxy(
        "--quiet",
        "--",
        ...node("process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1e3)"),
      ),
    );
    await until(() => stdout().endsWith("\n"), "the agent is up");
    child.kill("SIGTERM");
    expect((await finished).code).toBe(137);
    expect(isAlive(Number(stdout()))).toBe(false);
  });

  test("what an agent leaves behind does not keep us", async () => {
    const begun = performance.now();
    const { code, stdout } = await run(proxy("--quiet", "--", "sh", "-c", "sleep 20 & echo said; exit 4"));
    expect({ code, stdout }).toEqual({ code: 4, stdout: "said\n" });
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  test("what follows -- belongs to the agent, also --help", async () => {
    const show = ["-e", "console.log(process.argv.slice(1).join())", "--", "--help", "-h"];
    const { code, stdout } = await run(proxy("--quiet", "--", process.execPath, ...show));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "--help,-h\n" });
  });

  test("a program that is not there is 127, and said", async () => {
    const { code, stderr } = await run(proxy("--", "no-such-agent"));
    expect(code).toBe(127);
    expect(stderr).toBe(
      "agentao acp proxy: cannot start no-such-agent: there is no such program. Is it installed and on the PATH?\n",
    );
  });
});

describe("breaches", () => {
  test("are told on stderr, marked in the recording, and with --strict the exit code", async () => {
    const file = recordingFile();
    const input = open + hello + open.replace('"id":1', '"id":3') + prompt(2, "x");
    const finished = await run(proxy("--strict", "--record", file, "--", ...scriptedAgent("late")), input);
    expect(finished.code).toBe(3);
    expect(finished.stderr).toContain("client: session/new: not-initialized: session/new before initialize");
    expect(finished.stderr).toContain(
      "agent: session/update: outside-turn: agent_message_chunk while no prompt is open",
    );
    const marked = framesOf(file).filter(({ breaches }) => breaches !== undefined);
    expect(marked.map(({ from, breaches }) => [from, breaches?.map(({ rule }) => rule)])).toContainEqual([
      "agent",
      ["outside-turn"],
    ]);
  });

  test("secrets stay out of the recording, and latency is in it", async () => {
    const file = recordingFile();
    const servers = [
      {
        name: "db",
        command: "db",
        args: ["--key", "sk-abcdefgh12345678"],
        env: [{ name: "DB_PASS", value: "hunter22" }],
      },
    ];
    await run(
      proxy("--record", file, "--", ...scriptedAgent()),
      hello + request(1, "session/new", { cwd: "/", mcpServers: servers }),
    );
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("hunter22");
    expect(text).not.toContain("sk-abcdefgh");
    expect(text).toContain("DB_PASS");
    const answer = framesOf(file).find(({ from, method }) => from === "agent" && method === "session/new");
    expect(answer?.latencyMs).toBeGreaterThan(0);
  });
});

function nameOf(frame: unknown): string | undefined {
  return (frame as { method?: string }).method;
}
