// Sessions of runs: saved, gone on with, found by the beginning of their ids.

import { afterEach, beforeAll, expect, test } from "vitest";
import { cleanUp, temporaryFolder } from "../process/clean-up.ts";
import { ensureBuilt } from "../program/built.ts";
import { headless, resultOf, startHeadless } from "./headless.ts";

beforeAll(ensureBuilt, 120_000);
afterEach(cleanUp);

const replies = [[{ text: "Answered." }]];

const before = async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const run = async (...args: string[]) =>
    resultOf(await headless(["run", "--format", "json", ...args], { replies, home, cwd }));
  return { home, cwd, run };
};

test("--continue goes on with the newest session of the folder", async () => {
  const { run } = await before();
  const older = await run("one");
  const newer = await run("two");
  const again = await run("--continue", "three");
  expect(older.session_id).not.toBe(newer.session_id);
  expect(again).toMatchObject({ status: "ok", session_id: newer.session_id });
});

test("--resume goes on with a session by its id or the beginning of it, wherever it worked", async () => {
  const { run, home, cwd } = await before();
  const { session_id: id } = await run("one");
  await run("two");
  expect(await run("--resume", id, "three")).toMatchObject({ status: "ok", session_id: id });
  expect(await run("--resume", id.slice(5, 20), "four")).toMatchObject({ status: "ok", session_id: id });
  const elsewhere = await headless(["run", "--format", "json", "-r", id, "five"], { replies, home });
  expect(resultOf(elsewhere)).toMatchObject({ status: "ok", session_id: id, cwd });
});

test("a stored session keeps its model and its mode, and a run counts only what it cost itself", async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const steps = (cost: number) => [{ text: "Said." }, { usage: { inputTokens: 1, outputTokens: 1, cost } }];
  const call = { call: { name: "write_file", input: { file_path: "a", content: "a" } } };
  const story = [
    { when: { lastUserText: "^dear" }, steps: steps(0.5) },
    { when: { lastUserText: "^cheap" }, steps: steps(0.25) },
    { when: { lastUserText: "^write" }, steps: [call] },
  ];
  const run = async (...args: string[]) =>
    resultOf(await headless(["run", "--format", "json", ...args], { replies: story, home, cwd }));
  const { session_id: id, model } = await run("--mode", "plan", "dear");
  expect(await run("-r", id, "--max-cost", "0.4", "cheap")).toMatchObject({
    status: "ok",
    model,
    usage: { cost_usd: 0.25 },
  });
  expect((await run("-r", id, "write")).error).toMatchObject({
    type: "permission_denied",
    message: expect.stringContaining("plan"),
  });
});

test.each(["SIGTERM", "SIGKILL"] as const)("a run that is ended by %s can be gone on with", async (signal) => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const story = [
    { when: { lastUserText: "^first" }, steps: [{ text: "Half an answer." }, { stall: true }] },
    { when: { lastUserText: "^second" }, steps: [{ text: "The rest." }] },
  ];
  const program = startHeadless(["run", "--format", "stream-json", "first"], { replies: story, home, cwd });
  await program.frame((frame) => JSON.stringify(frame).includes("answer."));
  program.child.kill(signal);
  await program.ending();
  const [named] = program.stdout.split("\n", 1);
  const { session_id: id } = JSON.parse(named ?? "")._meta["_agentao.cn/session"];
  const again = await headless(["run", "--format", "json", "--resume", id, "second"], { replies: story, home, cwd });
  expect(resultOf(again)).toMatchObject({ status: "ok", session_id: id, final_text: "The rest." });
});
