// A recorded session played again, as either side: nothing differs with the same peer, and a change is found.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { isAlive } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { ensureBuilt } from "../program/built.ts";
import { cli, echoAgent, hello, open, prompt, request, run, script, scriptedAgent, start } from "./cli.ts";
import { makeRecordings, type Recordings } from "./recordings.ts";

let recordings: Recordings;
let keep = "";

beforeAll(async () => {
  await ensureBuilt();
  keep = temporaryFolder();
  recordings = await makeRecordings(keep);
}, 60_000);
afterAll(cleanUp);

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
        "The agent ended: exit code 1.",
      ],
    ],
    [
      "no handshake",
      ["unready", "1"],
      [
        "initialize was answered, and is not answered any more now",
        "the replay ended after 1 of 9 frames: the agent says nothing more",
        "The agent ended: exit code 1.",
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

  test("lines that are no frames are told, and how an agent ended that ends too soon", async () => {
    const code = "console.log('hello'); process.stdin.once('data', () => process.exit(3))";
    const { stdout } = await run(replay(recordings.echo, "--", process.execPath, "-e", code));
    expect(stdout).toBe(
      [
        "3 differences in 1 of 7 frames:",
        "  initialize was answered, and is not answered any more now",
        "  the replay ended after 1 of 7 frames: the agent says nothing more",
        "  the agent writes 1 line that is no frame, and wrote none before",
        "The agent ended: exit code 3.",
        "",
      ].join("\n"),
    );
  });

  test("what an agent leaves behind goes with it", async () => {
    const pidFile = join(temporaryFolder(), "pid");
    const [program = "", ...args] = echoAgent;
    const leave = `sleep 60 & echo $! > ${pidFile}; exec ${program} ${args.join(" ")}`;
    expect((await run(replay(recordings.echo, "--", "sh", "-c", leave))).code).toBe(0);
    const pid = Number(readFileSync(pidFile, "utf8"));
    await until(() => !isAlive(pid), "it is gone");
  });

  test("a recording without an end is played as far as it goes", async () => {
    const path = join(keep, "torn.jsonl");
    writeFileSync(path, readFileSync(recordings.echo, "utf8").split("\n").slice(0, 4).join("\n").slice(0, -5));
    const { code, stdout } = await run(replay(path, "--", ...echoAgent));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        "No difference in 2 frames.\nThe recording has no end: what recorded it was killed, or is still running.\n",
    });
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
