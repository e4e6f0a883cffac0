// How the program ends: at once, by every way a client has to end it, and with everything it started.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { leftOf } from "../process/process-mark.ts";
import { until } from "../process/until.ts";
import { ensureBuilt } from "./built.ts";
import { type Program, start, startReady, toPrompt } from "./program.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

/** A second is the promise; a busy machine may take longer to start what ends it. */
const SOON_MS = 5_000;

/** Deaf to everything that can be heard, with a child and a grandchild that are too. */
const DEAF = 'trap "" TERM HUP INT; (trap "" TERM HUP INT; sleep 300) & sleep 300; wait';

type Situation = (program: Program) => Promise<void>;

const situations: Readonly<Record<string, Situation>> = {
  idle: async (program) => {
    await program.open(temporaryFolder());
  },
  "before any session": async () => {},
  "in the middle of a stream": async (program) => {
    const sessionId = await program.open(temporaryFolder());
    program.send("session/prompt", toPrompt(sessionId, "count to 1000"));
    await program.update(sessionId, ({ content }) => content?.text?.startsWith("3"));
  },
  "while a command runs that ignores SIGTERM": async (program) => {
    const cwd = temporaryFolder();
    const sessionId = await program.open(cwd, { modeId: "full-access" });
    program.send("session/prompt", toPrompt(sessionId, `run touch begun; ${DEAF}`));
    await until(() => existsSync(join(cwd, "begun")), "the command begins");
    await until(
      () => program.descendants().filter(({ command }) => command.includes("sleep 300")).length >= 2,
      "sleep",
    );
  },
  "while a question is open": async (program) => {
    const sessionId = await program.open(temporaryFolder());
    program.send("session/prompt", toPrompt(sessionId, "run touch a"));
    await program.frame(({ method }) => method === "session/request_permission", "question");
  },
};

const ends: Readonly<Record<string, (program: Program) => void>> = {
  "the end of its input": ({ child }) => child.stdin.end(),
  SIGTERM: ({ child }) => child.kill("SIGTERM"),
  SIGHUP: ({ child }) => child.kill("SIGHUP"),
  SIGINT: ({ child }) => child.kill("SIGINT"),
  "the end of its input and SIGTERM at once": ({ child }) => {
    child.stdin.end();
    child.kill("SIGTERM");
  },
};

const timings: string[] = [];

describe.each(Object.entries(ends))("%s ends it with everything it started", (how, end) => {
  test.each(Object.entries(situations))("%s", async (when, arrive) => {
    const program = await startReady();
    await arrive(program);
    const started = program.descendants();

    end(program);

    const { tookMs, ...ending } = await program.ending();
    timings.push(`${Math.round(tookMs)} ms ${how}, ${when}`);
    expect(ending).toEqual({ code: 0, signal: null });
    expect(tookMs).toBeLessThan(SOON_MS);
    expect(await leftOf(started, SOON_MS)).toEqual([]);
    expect({ stray: program.strayLines, stderr: program.stderr }).toEqual({ stray: [], stderr: "" });
  });
});

test("a pipe that nobody reads any more ends it in the middle of a stream", async () => {
  const program = await startReady();
  await situations["in the middle of a stream"]?.(program);
  program.child.stdout.destroy();
  const { tookMs, ...ending } = await program.ending(SOON_MS);
  timings.push(`${Math.round(tookMs)} ms EPIPE, in the middle of a stream`);
  expect(ending).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe("");
});

test.each(Object.entries(ends).slice(0, 2))(
  "a client that reads nothing does not keep it from ending: %s",
  async (how, end) => {
    const program = await startReady();
    program.child.stdout.pause();
    const cwd = temporaryFolder();
    for (let at = 0; at < 200; at++) program.send("session/new", { cwd, mcpServers: [] });
    const journals = () => readdirSync(join(program.home, "sessions")).filter((name) => name.endsWith(".jsonl"));
    await until(() => existsSync(join(program.home, "sessions")) && journals().length === 200, "sessions are open");
    end(program);
    const { tookMs, ...ending } = await program.ending();
    timings.push(`${Math.round(tookMs)} ms ${how}, with a client that does not read`);
    expect(ending).toEqual({ code: 0, signal: null });
    expect(tookMs).toBeLessThan(SOON_MS);
  },
);

test("the end of its input before initialize ends it", async () => {
  const program = start();
  expect(await program.end()).toMatchObject({ code: 0, signal: null });
  expect(program.stdout).toBe("");
});

test.each(["while a command runs that ignores SIGTERM", "idle"])("SIGKILL leaves nothing behind, %s", async (when) => {
  const program = await startReady();
  await situations[when]?.(program);
  const started = program.descendants();
  const begun = performance.now();

  expect(await program.kill()).toMatchObject({ signal: "SIGKILL" });

  expect(await leftOf(started, SOON_MS)).toEqual([]);
  timings.push(`${Math.round(performance.now() - begun)} ms SIGKILL, ${when}: nothing left`);
});

test("SIGTERM and SIGKILL back to back leave nothing behind", async () => {
  const program = await startReady();
  await situations["while a command runs that ignores SIGTERM"]?.(program);
  const started = program.descendants();
  program.child.kill("SIGTERM");
  await program.kill();
  expect(await leftOf(started, SOON_MS)).toEqual([]);
});

test("a prompt that comes with the end of the input does nothing after it", async () => {
  const cwd = temporaryFolder();
  const program = await startReady();
  const sessionId = await program.open(cwd, { modeId: "full-access" });
  program.send("session/prompt", toPrompt(sessionId, "plan: count to 100; create late.txt with x"));
  await program.end();
  expect(existsSync(join(cwd, "late.txt"))).toBe(false);
});

test("what was running at the end is in the session that is loaded next, and the session goes on", async () => {
  const cwd = temporaryFolder();
  const program = await startReady();
  const sessionId = await program.open(cwd);
  program.send("session/prompt", toPrompt(sessionId, "count to 1000"));
  await program.update(sessionId, ({ content }) => content?.text?.startsWith("5"));
  await program.end();
  const said = program.textOf(sessionId);

  const next = await startReady({ home: program.home });
  await next.request("session/load", { sessionId, cwd, mcpServers: [] });
  expect(next.textOf(sessionId)).toBe(said);
  expect(await next.prompt(sessionId, "list files")).toMatchObject({ stopReason: "end_turn" });
});

describe("session/cancel", () => {
  const CANCELLED_MS = 2_000;

  test.each(["in the middle of a stream", "while a command runs that ignores SIGTERM", "while a question is open"])(
    "answers with cancelled %s, and the next prompt works",
    async (when) => {
      const program = await startReady();
      await situations[when]?.(program);
      const { frame } = program.heard.find((heard) => heard.frame.result?.sessionId !== undefined) ?? {};
      const sessionId: string = frame?.result.sessionId;
      const started = program.descendants().filter(({ command }) => command.includes("sleep 300"));
      const begun = performance.now();

      program.write({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });

      await program.frame(({ result }) => result?.stopReason === "cancelled", "cancelled");
      const tookMs = performance.now() - begun;
      timings.push(`${Math.round(tookMs)} ms cancel, ${when}`);
      expect(tookMs).toBeLessThan(CANCELLED_MS);
      expect(await leftOf(started, SOON_MS)).toEqual([]);
      expect(await program.prompt(sessionId, "list files")).toMatchObject({ stopReason: "end_turn" });
    },
  );
});

test("says how long the ends took", () => {
  if (process.env.AGENTAO_TIMINGS !== undefined) process.stdout.write(`${timings.join("\n")}\n`);
  expect(timings.length).toBeGreaterThan(0);
});
