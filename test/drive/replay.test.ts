// A recorded session played again, as either side: nothing differs with the same peer, and a change is found.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  cleanUp,
  cli,
  echoAgent,
  ensureBuilt,
  hello,
  open,
  prompt,
  type Running,
  request,
  run,
  script,
  scriptedAgent,
  start,
  temporaryFolder,
  until,
} from "./cli.ts";

let recordings: { echo: string; permission: string; died: string };
let keep = "";

beforeAll(async () => {
  await ensureBuilt();
  keep = temporaryFolder();
  const at = (name: string): string => join(keep, `${name}.jsonl`);
  recordings = { echo: at("echo"), permission: at("permission"), died: at("died") };
  const proxy = (file: string, agent: string[]): string[] =>
    cli("acp", "proxy", "--quiet", "--record", file, "--", ...agent);
  await run(script("examples/client.ts", "Hi", ...proxy(recordings.echo, echoAgent)));
  const answer = { jsonrpc: "2.0", id: "q1", result: { outcome: { outcome: "selected", optionId: "no" } } };
  const died = await converse(proxy(recordings.died, scriptedAgent("die", "9")), [
    [hello, '"id":0'],
    [open, '"id":1'],
    [prompt(2, "x"), "I am going"],
  ]);
  await died.finished;
  const asked = await converse(proxy(recordings.permission, scriptedAgent("permission")), [
    [hello, '"id":0'],
    [open, '"id":1'],
    [prompt(2, "x"), '"q1"'],
    [`${JSON.stringify(answer)}\n`, "stopReason"],
  ]);
  asked.child.stdin.end();
  await asked.finished;
}, 60_000);
afterAll(cleanUp);

/** Says one thing after the other, each when the answer to the one before has come. */
async function converse(
  command: string[],
  exchange: readonly (readonly [said: string, heard: string])[],
): Promise<Running> {
  const running = start(command);
  for (const [said, heard] of exchange) {
    running.child.stdin.write(said);
    await until(() => running.stdout().includes(heard), heard);
  }
  return running;
}

const replay = (...args: string[]): string[] => cli("acp", "replay", ...args);

describe("as the client", () => {
  test("the same agent does nothing differently, though it names its sessions anew", async () => {
    const { code, stdout } = await run(replay(recordings.echo, "--text", "--", ...echoAgent));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "No difference in 7 frames.\n" });
  });

  test("what the agent asks is answered as it was", async () => {
    const { code, stdout } = await run(replay(recordings.permission, "--text", "--", ...scriptedAgent("permission")));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "No difference in 9 frames.\n" });
  });

  test.each<[string, string[], string[]]>([
    [
      "another stop reason",
      ["refuse"],
      [
        'session/prompt: stopReason was "end_turn", and is "refusal"',
        "the agent asked session/request_permission, and does not ask it now",
        "the turn had agent_message_chunk, and has none now",
      ],
    ],
    [
      "another question",
      ["ask-user"],
      [
        "the agent asks _agentao.cn/ask_user, which it did not ask before",
        "the agent asked session/request_permission, and does not ask it now",
      ],
    ],
    [
      "other words",
      ["echo"],
      [
        "the agent asked session/request_permission, and does not ask it now",
        'the agent said "answer: {\\"jsonrpc\\":\\"2.0\\",\\"result\\":{\\"outcome\\":{\\"outcome\\":\\"selected\\",\\"optionId\\":\\"n…", and says "Echo: x"',
      ],
    ],
    [
      "a death",
      ["die", "1"],
      [
        "the agent asked session/request_permission, and does not ask it now",
        "the replay ended after 5 of 9 frames: the agent says nothing more",
      ],
    ],
    [
      "no handshake",
      ["unready", "1"],
      [
        "initialize was answered, and is not answered any more now",
        "the replay ended after 1 of 9 frames: the agent says nothing more",
      ],
    ],
  ])("finds %s", async (name, agent, differences) => {
    const flags = name === "other words" ? ["--text"] : [];
    const { code, stdout } = await run(replay(recordings.permission, ...flags, "--", ...scriptedAgent(...agent)));
    const found = stdout
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.trim());
    expect({ code, found: found.toSorted() }).toEqual({ code: 1, found: differences.toSorted() });
  });

  test("an agent that does not answer is not waited for longer than told", async () => {
    const { code, stdout } = await run(replay(recordings.echo, "--timeout", "6", "--", ...scriptedAgent("deaf")));
    expect(code).toBe(1);
    expect(stdout).toContain("session/prompt was answered, and is not answered in 6000 ms now");
  });
});

describe("as the agent", () => {
  const client = (text: string, ...agent: string[]): string[] => script("examples/client.ts", text, ...agent);

  test("a client hears what it heard before", async () => {
    const [before, now] = await Promise.all([
      run(client("Hi", ...echoAgent)),
      run(client("Hi", ...replay(recordings.echo, "--as", "agent"))),
    ]);
    expect(now).toEqual(before);
  });

  test("at the recorded speed it takes the recorded time", async () => {
    const slow = join(keep, "slow.jsonl");
    const lines = readFileSync(recordings.echo, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    // The last answer came a second after the update before it.
    const last = lines.findLastIndex(({ type }) => type === "frame");
    for (const line of lines.slice(last)) line.atMs += 1000;
    writeFileSync(slow, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const begun = performance.now();
    const { code } = await run(client("Hi", ...replay(slow, "--as", "agent", "--speed", "real")));
    expect(code).toBe(0);
    expect(performance.now() - begun).toBeGreaterThan(1000);
  });

  test("a request that is not in the recording is answered with an error, and told", async () => {
    const input = [hello, open, request(5, "session/list", {}), prompt(2, "Hi")].join("");
    const { code, stdout, stderr } = await run(replay(recordings.echo, "--as", "agent"), input);
    expect(code).toBe(1);
    const frames = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(frames.find(({ id }) => id === 5)).toEqual({
      jsonrpc: "2.0",
      id: 5,
      error: { code: -32603, message: "This request is not in the recording" },
    });
    expect(frames.find(({ id }) => id === 2).result).toMatchObject({ stopReason: "end_turn" });
    expect(stderr).toContain("the client asks session/list, which is not in the recording");
  });

  test("an answer of the client that is another one is told", async () => {
    const { child, finished, stdout } = start(replay(recordings.permission, "--as", "agent"));
    child.stdin.write(hello + open + prompt(2, "x"));
    child.stdin.write('{"jsonrpc":"2.0","id":"q1","result":{"outcome":{"outcome":"selected","optionId":"yes"}}}\n');
    await until(() => stdout().includes("stopReason"), "the turn ends");
    child.stdin.end();
    const { code, stderr } = await finished;
    expect(code).toBe(1);
    expect(stderr).toContain('session/request_permission: outcome/optionId was "no", and is "yes"');
  });

  test("an agent that died dies again, with its exit code", async () => {
    const { child, finished } = start(replay(recordings.died, "--as", "agent"));
    child.stdin.write(hello + open + prompt(2, "x"));
    const { code, stdout } = await finished;
    expect(code).toBe(9);
    expect(stdout).toContain("I am going");
  });
});

test("a file that is no recording is refused", async () => {
  const path = join(keep, "other.txt");
  writeFileSync(path, "hello\nworld\n");
  for (const args of [
    ["replay", path, "--as", "agent"],
    ["inspect", path],
  ]) {
    const { code, stderr } = await run(cli("acp", ...args));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `agentao acp ${args[0]}: line 1 of ${path} is not a line of a recording\n`,
    });
  }
});

test("inspect shows frames, latencies and totals", async () => {
  const { code, stdout } = await run(cli("acp", "inspect", recordings.permission));
  expect(code).toBe(0);
  expect(stdout).toMatch(/ {5}\d+\.\d{3}s → initialize 0 .*\n/);
  expect(stdout).toMatch(/← initialize 0 = .* {2}\d+\.\d ms\n/);
  expect(stdout).toMatch(/session\/prompt {2,}2 {2,}\d+/);
  expect(stdout).toMatch(/No breaches\.\n$/);
});
