// SIGKILL at any moment of a turn: what was shown as done is on disk and in the session, nothing runs twice, and the
// session goes on.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { pause } from "../process/until.ts";
import { ensureBuilt } from "./built.ts";
import type { Frame } from "./frame.ts";
import { type Program, startReady, toPrompt } from "./program.ts";

beforeAll(ensureBuilt, 120_000);
afterAll(cleanUp);

const LANES = 4;
const SESSIONS_PER_LANE = 10;
const KILLS_PER_SESSION = 5;
/** About so many; a kill that was to come later comes at the end. */
const FRAMES_PER_TURN = 130;
/** A kill comes with one of the updates of a turn, or so long after it at most. */
const LONGEST_MS = 8;
/** Text is written down when it is a quarter of a second old; the rest is for a machine that is busy. */
const TEXT_KEPT_MS = 1_000;

type Update = Frame["params"]["update"];

/** What the client saw of one turn before the kill. */
interface Shown {
  readonly name: string;
  readonly completed: readonly string[];
}

const wishOf = (name: string): string =>
  `plan: run echo ${name}-1 >> log; create ${name}.txt with ${name}; run echo ${name}-2 >> log`;

/** A call's effect on disk, by what it was asked to do. */
function checkEffect(cwd: string, log: readonly string[], { name, rawInput }: Update): void {
  if (name === "run_shell_command") {
    const [, line] = /echo (\S+) >>/.exec(rawInput.command) ?? [];
    expect(log).toContain(line);
  }
  if (name === "write_file") {
    const path = join(cwd, rawInput.file_path);
    expect(existsSync(path) && readFileSync(path, "utf8").trim()).toBe(rawInput.content.trim());
  }
}

/** Loads the session in a process of its own, and holds it against what was shown before. */
async function loadAfter(home: string, cwd: string, sessionId: string, before: readonly Shown[]): Promise<Program> {
  const program = await startReady({ home });
  const { modes } = await program.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(modes.currentModeId).toBe("full-access");
  const calls = callsIn(program.updates(sessionId));
  const logFile = join(cwd, "log");
  const log = existsSync(logFile) ? readFileSync(logFile, "utf8").trim().split("\n") : [];
  expect(log).toEqual([...new Set(log)]);
  for (const { completed } of before) {
    for (const callId of completed) expect(calls.get(callId)).toMatchObject({ status: "completed" });
  }
  for (const call of calls.values()) if (call.status === "completed") checkEffect(cwd, log, call);
  return program;
}

/** The last state of every call. */
function callsIn(updates: readonly Update[]): Map<string, Update> {
  const calls = new Map<string, Update>();
  for (const update of updates) {
    if (update.toolCallId !== undefined) {
      calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...update });
    }
  }
  return calls;
}

/** At a moment that the turn itself counts, so that a slow machine sees the same moments as a quick one. */
async function killInTurn(program: Program, sessionId: string, name: string): Promise<Shown> {
  const before = program.heard.length;
  const fatal = before + Math.floor(Math.random() * FRAMES_PER_TURN);
  const promptId = program.send("session/prompt", toPrompt(sessionId, wishOf(name)));
  await program.frame(({ id }) => id === promptId || program.heard.length >= fatal, "the fatal moment");
  if (Math.random() < 0.5) await pause(Math.random() * LONGEST_MS);
  await program.kill();
  await program.closed;
  const updates = program.heard.slice(before).map(({ frame }) => frame.params?.update ?? {});
  const calls = callsIn(updates);
  const completed = [...calls.values()].filter(({ status }) => status === "completed");
  return { name, completed: completed.map(({ toolCallId }) => toolCallId) };
}

let kills = 0;
let shownAsDone = 0;

test.concurrent.each(Array.from({ length: LANES }, (_, at) => at))(
  "SIGKILL at random moments loses nothing that was shown, and nothing runs twice, lane %i",
  async (lane) => {
    for (let round = 0; round < SESSIONS_PER_LANE; round++) {
      const cwd = temporaryFolder();
      const home = temporaryFolder();
      let program = await startReady({ home });
      const sessionId = await program.open(cwd, { modeId: "full-access" });
      const shown: Shown[] = [];
      for (let at = 0; at < KILLS_PER_SESSION; at++) {
        const turn = await killInTurn(program, sessionId, `r${lane}-${round}-${at}`);
        shown.push(turn);
        kills++;
        shownAsDone += turn.completed.length;
        program = await loadAfter(home, cwd, sessionId, shown);
      }
      expect(await program.prompt(sessionId, "create last.txt with done")).toMatchObject({ stopReason: "end_turn" });
      expect(readFileSync(join(cwd, "last.txt"), "utf8")).toContain("done");
      await program.end();
    }
  },
  180_000,
);

test("the kills met turns that had done something", () => {
  expect(kills).toBe(LANES * SESSIONS_PER_LANE * KILLS_PER_SESSION);
  expect(shownAsDone).toBeGreaterThan(kills);
});

test("text that was shown for a while is in the session after SIGKILL, and so is the prompt", async () => {
  const cwd = temporaryFolder();
  const program = await startReady();
  const sessionId = await program.open(cwd);
  program.send("session/prompt", toPrompt(sessionId, "count to 1000"));
  await program.update(sessionId, ({ content }) => content?.text?.startsWith("5"));
  const shown = program.textOf(sessionId);
  await pause(TEXT_KEPT_MS);
  await program.kill();

  const next = await startReady({ home: program.home });
  await next.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(next.textOf(sessionId).startsWith(shown)).toBe(true);
  const [prompt] = next.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk");
  expect(prompt.content.text).toBe("count to 1000");
  expect(await next.prompt(sessionId, "list files")).toMatchObject({ stopReason: "end_turn" });
});

test("a call that was running at SIGKILL has ended in the replay: nothing in it still spins", async () => {
  const cwd = temporaryFolder();
  const program = await startReady();
  const sessionId = await program.open(cwd, { modeId: "full-access" });
  program.send("session/prompt", toPrompt(sessionId, "run touch begun; sleep 300"));
  await program.update(sessionId, ({ status }) => status === "in_progress");
  program.descendants();
  await program.kill();

  const next = await startReady({ home: program.home });
  await next.request("session/load", { sessionId, cwd, mcpServers: [] });
  const [call] = callsIn(next.updates(sessionId)).values();
  expect(call).toMatchObject({ status: "failed" });
  expect(await next.prompt(sessionId, "list files")).toMatchObject({ stopReason: "end_turn" });
});
