import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import type { Io } from "../io/io.ts";
import { run } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "agentao-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let scenarios = 0;

interface World {
  readonly replies: readonly object[];
  readonly input?: string;
  readonly isTerminal?: boolean;
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly stdout?: Writable;
}

/** What a terminal shows, or what two pipes get: everything in the order it was written. */
async function inWorld(args: readonly string[], world: World) {
  const { replies, input = "", isTerminal = true, env = {}, signal = new AbortController().signal } = world;
  const scenario = join(folder, `${scenarios++}.json`);
  writeFileSync(scenario, JSON.stringify({ replies }));
  let out = "";
  let shown = "";
  const stream = (note: (text: string) => void) => {
    const one = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 });
    return one.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
      note(text);
    });
  };
  const io: Io = {
    stdin: Object.assign(Readable.from([input]), { isTTY: input === "" }),
    stdout:
      world.stdout ??
      stream((text) => {
        out += text;
      }),
    stderr: stream(() => {}),
    env: { AGENTAO_HOME: join(folder, "home"), AGENTAO_MODEL: `scripted/${scenario}`, NO_COLOR: "1", PATH: "", ...env },
    cwd: folder,
    signal,
  };
  const code = await run.run(args, io);
  await new Promise((resolve) => setImmediate(resolve));
  return { code, out, shown: shown.replace(/sess_\w+/g, "sess_1") };
}

const talk = [
  [{ text: "I look." }, { call: { name: "list_directory", input: { path: "." } } }],
  [{ text: "Fine" }, { text: " here." }],
];

test("a terminal shows everything that is said, one message below the other", async () => {
  const { code, out } = await inWorld(["go"], { replies: talk });
  expect([code, out]).toEqual([0, "I look.\n\nFine here.\n"]);
});

test("a terminal shows notices, what goes on, and the session at the end", async () => {
  const { shown } = await inWorld(["go"], { replies: talk });
  expect(shown).toContain("agentao: Model: scripted/");
  expect(shown).toContain("\r\x1b[Kthinking · 0 s");
  expect(shown).toContain("\r\x1b[Kstep 1 · List .");
  expect(shown).toMatch(/session sess_1; go on with agentao run --resume sess_1\n$/);
});

test("what goes on is never drawn into a line of the answer", async () => {
  const { shown } = await inWorld(["go"], { replies: talk });
  const pieces = shown.split("I look.");
  expect(pieces).toHaveLength(2);
  expect(pieces[1]?.startsWith("\n\r\x1b[K")).toBe(true);
  expect(shown.replaceAll("\r\x1b[K", "")).toContain("Fine here.\nsession");
});

test("where CI is set nothing is drawn", async () => {
  const { shown } = await inWorld(["go"], { replies: talk, env: { CI: "true" } });
  expect(shown).not.toContain("\x1b");
});

test("a terminal gets no orders from the model", async () => {
  const { out } = await inWorld(["go"], { replies: [[{ text: "a\x1b[2J b\u0007\u202e\tc\r\n" }]] });
  expect(out).toBe("a b\tc\n");
});

test("an error is told below what was said", async () => {
  const replies = [[{ text: "Half" }, { fault: { kind: "bad-request", message: "It broke." } }]];
  const { code, out, shown } = await inWorld(["go"], { replies });
  expect([code, out]).toEqual([1, "Half\n"]);
  expect(shown).toContain("Half\nagentao run: It broke.\n");
});

test("a run that is interrupted before it begins says so", async () => {
  const { code, out } = await inWorld(["--format", "json", "go"], { replies: talk, signal: AbortSignal.abort() });
  expect(code).toBe(130);
  expect(JSON.parse(out)).toMatchObject({ status: "error", error: { type: "interrupted" }, tool_calls: 0 });
});

test("whoever leaves before there is a prompt has not made a mistake", async () => {
  const { code, shown } = await inWorld([], { replies: talk, signal: AbortSignal.abort() });
  expect([code, shown]).toEqual([130, "agentao run: interrupted\n"]);
});

test("a pipe gets the answer alone", async () => {
  const { shown } = await inWorld(["go"], { replies: talk, isTerminal: false });
  expect(shown).toBe("Fine here.\n");
});

test.each<[string, number, string]>([
  ["ENOSPC", 1, "agentao run: the output cannot be written: ENOSPC: no room\n"],
  ["EPIPE", 0, ""],
])("an answer that meets %s", async (problem, code, told) => {
  const full = new Writable({
    write: (_text, _encoding, done) => done(Object.assign(new Error(`${problem}: no room`), { code: problem })),
  });
  expect(await inWorld(["go"], { replies: talk, isTerminal: false, stdout: full })).toMatchObject({
    code,
    shown: told,
  });
});
