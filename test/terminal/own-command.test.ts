// `!command`, and the files that completion offers: both start real processes.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectFiles } from "../../packages/cli/src/terminal/input/project-files.ts";
import { runShell } from "../../packages/cli/src/terminal/input/run-shell.ts";
import { pidIn } from "../process/process-mark.ts";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "agentao-own-"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function run(command: string, signal: AbortSignal = new AbortController().signal, onOutput = (_: string): void => {}) {
  return runShell(command, { cwd, env: { PATH: process.env.PATH, SHELL: "/bin/sh", MINE: "42" }, signal, onOutput });
}

test.each([
  ["echo $MINE; echo wrong >&2", { output: "42\nwrong\n", ending: undefined }],
  ["exit 3", { output: "", ending: "exit code 3" }],
  ["kill -9 $$", { output: "", ending: "ended by SIGKILL" }],
])("runs %s", async (command, result) => {
  expect(await run(command)).toEqual(result);
});

test("ends everything the command has started", async () => {
  const ending = new AbortController();
  const result = await run("sleep 300 & echo $!; wait", ending.signal, (output) => {
    if (output.includes("\n")) ending.abort();
  });
  expect(result.ending).toBe("stopped");
  const pid = pidIn(result.output);
  await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
});

test("does not wait for what a command leaves in the background, and lets it be", async () => {
  const { output, ending } = await run("sleep 300 & echo $!");
  expect(ending).toBe("what it started in the background goes on");
  const pid = pidIn(output);
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("says so where its folder is gone", async () => {
  const options = { cwd: join(cwd, "gone"), env: {}, signal: new AbortController().signal, onOutput: () => {} };
  expect((await runShell("true", options)).ending).toBe(`the folder ${join(cwd, "gone")} is gone`);
});

test("keeps the end of a long output, and says what is missing", async () => {
  const { output, ending } = await run("head -c 300000 /dev/zero | tr '\\0' x; echo end");
  expect(output).toHaveLength(100_000);
  expect(output.endsWith("xend\n")).toBe(true);
  expect(ending).toBe("the first 200004 characters were left out");
});

test("offers what git does not ignore, and without git what is there", async () => {
  const folder = join(cwd, "project");
  mkdirSync(join(folder, "src", "deep"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["src/deep/a b.ts", "ignored.log", "node_modules/x.js"]) writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, ".gitignore"), "*.log\n");
  expect([...(await projectFiles(() => folder).list())].sort()).toEqual([
    ".gitignore",
    "ignored.log",
    "src/",
    "src/deep/",
    "src/deep/a b.ts",
  ]);
  execFileSync("git", ["init", "-q"], { cwd: folder });
  expect([...(await projectFiles(() => folder).list())].sort()).toEqual([
    ".gitignore",
    "src/",
    "src/deep/",
    "src/deep/a b.ts",
  ]);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
