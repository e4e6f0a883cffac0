import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lastLines, logPath, openServerLog } from "./server-log.ts";
import { makeRunFolder, readStatus, type ServerStatus, startTimeOf, writeStatus } from "./server-state.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const status: ServerStatus = {
  name: "a",
  state: "ready",
  pid: process.pid,
  startedAt: startTimeOf(process.pid),
  since: "2026-01-01T00:00:00.000Z",
  restarts: 0,
};

test.each<[string, Partial<ServerStatus>, string]>([
  ["runs while its supervisor does", {}, "running"],
  ["is stale when the supervisor is gone", { pid: 2 ** 22 + 1 }, "stale"],
  ["is over when it was stopped", { state: "stopped" }, "over"],
  ["is over when it failed", { state: "failed" }, "over"],
])("an agent %s", (_, part, type) => {
  writeStatus(folder, { ...status, ...part });
  expect(readStatus(folder, "a")).toEqual({ type, status: { ...status, ...part } });
});

test.runIf(process.platform === "linux").each([
  ["one that began at another time", "1"],
  ["one of which nobody said when it began", undefined],
])("a process with the same number is not taken for the supervisor: %s", (_, startedAt) => {
  writeStatus(folder, { ...status, startedAt });
  expect(readStatus(folder, "a").type).toBe("stale");
});

test.each([0, -1, 1.5, Number.NaN])("the number %s is of no process", (pid) => {
  writeStatus(folder, { ...status, pid });
  expect(readStatus(folder, "a")).toEqual({ type: "never" });
});

test("what is kept of an agent is no part of a repository", () => {
  writeStatus(folder, status);
  expect(readFileSync(join(folder, ".agentao/acp/.gitignore"), "utf8")).toBe("*\n");
});

test("one that was never started has no state", () => {
  expect(readStatus(folder, "a")).toEqual({ type: "never" });
});

test("a log keeps whole lines without secrets, and gives the last ones back", () => {
  const log = openServerLog(folder, "a");
  log.write("one\ntw");
  log.write("o\nkey sk-abcdefgh12345678\nrest");
  log.end();
  expect(lastLines(folder, "a", 200)).toEqual(["one", "two", "key [redacted]", "rest"]);
  expect(lastLines(folder, "a", 2)).toEqual(["key [redacted]", "rest"]);
  expect(lastLines(folder, "b", 2)).toEqual([]);
});

test.runIf(process.platform !== "win32")("a log is written nowhere else, wherever a link of its name points", () => {
  const elsewhere = join(folder, "precious");
  writeFileSync(elsewhere, "kept");
  makeRunFolder(folder);
  symlinkSync(elsewhere, logPath(folder, "a"));
  openServerLog(folder, "a").write("said\n");
  expect(readFileSync(elsewhere, "utf8")).toBe("kept");
});

test("a log hides a key of several lines, and says how much of a long line it left out", () => {
  const log = openServerLog(folder, "a");
  log.write("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n-----END PRIVATE KEY-----\nafter\n");
  log.write(`${"x".repeat(5000)}\n`);
  expect(lastLines(folder, "a", 9)).toEqual(["[redacted]", "after", `${"x".repeat(4096)}… (904 characters more)`]);
});

test("a status is written through no link that came with a project", () => {
  makeRunFolder(folder);
  writeFileSync(join(folder, "mine"), "mine");
  symlinkSync(join(folder, "mine"), join(folder, ".agentao/acp", `a.json.${process.pid}`));
  writeStatus(folder, status);
  expect([readStatus(folder, "a").type, readFileSync(join(folder, "mine"), "utf8")]).toEqual(["running", "mine"]);
});
