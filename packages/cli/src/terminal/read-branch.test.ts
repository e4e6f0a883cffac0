import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBranch } from "./read-branch.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentao-branch-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["a branch", "ref: refs/heads/feature/x\n", "feature/x"],
  ["a commit", "0123456789abcdef0123456789abcdef01234567\n", "0123456"],
  ["nothing it knows", "what\n", undefined],
])("reads %s, also from below", async (_, head, branch) => {
  await mkdir(join(folder, ".git"));
  await mkdir(join(folder, "a", "b"), { recursive: true });
  await writeFile(join(folder, ".git", "HEAD"), head);
  expect(await readBranch(join(folder, "a", "b"))).toBe(branch);
});

test("follows a worktree to its folder", async () => {
  await mkdir(join(folder, "real"));
  await mkdir(join(folder, "tree"));
  await writeFile(join(folder, "real", "HEAD"), "ref: refs/heads/other\n");
  await writeFile(join(folder, "tree", ".git"), "gitdir: ../real\n");
  expect(await readBranch(join(folder, "tree"))).toBe("other");
});
