// The proxy between real processes: every byte gets through, deaths are handed on, and what is wrong is said.

import { readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { commandOf, type Library } from "../interop/pair.ts";
import { cleanUp } from "../process/clean-up.ts";
import { until } from "../process/until.ts";
import { ensureBuilt } from "../program/built.ts";
import {
  echoAgent,
  framesOf,
  hello,
  node,
  open,
  prompt,
  proxy,
  recordingFile,
  request,
  run,
  script,
  scriptedAgent,
  start,
} from "./cli.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

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
    // What these programs do wrong on purpose, and nothing else.
    expect(framesOf(file).flatMap(({ from, breaches = [] }) => breaches.map(({ rule }) => `${from}: ${rule}`))).toEqual(
      [
        "client: not-initialized",
        ...["agent: long-line", "client: long-line", "agent: long-line", "client: long-line"],
        ...["client: bad-params", "agent: bad-params", "agent: long-line"],
      ],
    );
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
    const { child, finished, stdout, stderr } = start(
      proxy(
        "--quiet",
        "--",
        ...node(`
      const size = 8 * 1024 * 1024;
      const tell = (word) => process.stderr.write(word + "\\n");
      process.stdin.once("data", () => {
        tell("begun");
        process.stdout.write(Buffer.alloc(size, 97), () => { tell("done"); process.exit(0); });
      });
    `),
      ),
    );
    child.stdout.pause();
    child.stdin.write(hello);
    await until(() => stderr().includes("begun"), "the agent speaks");
    expect(stderr()).toBe("begun\n");
    child.stdout.resume();
    expect((await finished).bytes.length).toBe(8 * 1024 * 1024);
    expect(stdout().length).toBe(8 * 1024 * 1024);
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
