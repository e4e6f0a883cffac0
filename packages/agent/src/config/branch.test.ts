import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createBranch, findRepository } from "./branch.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const HASH = "3f786850e387550fdab836ed7e6dc881de23001b";

test.each([
  ["a branch", "ref: refs/heads/main\n", "main"],
  ["a branch with slashes", "ref: refs/heads/fix/the-thing\n", "fix/the-thing"],
  ["another reference", "ref: refs/bisect/good\n", "refs/bisect/good"],
  ["the short hash of a commit nobody named", `${HASH}\n`, "3f78685"],
  ["the short hash of a longer one", `${HASH}${"0".repeat(24)}\n`, "3f78685"],
  ["nothing for a placeholder", "ref: refs/heads/.invalid\n", undefined],
  ["nothing for what is no head", "hello, world\n", undefined],
  ["nothing for an empty head", "", undefined],
])("answers %s", async (_, head, branch) => {
  const folder = await folderWith({ ".git/HEAD": head });
  expect(await createBranch(folder)()).toBe(branch);
});

test("looks in the folders above", async () => {
  const folder = await folderWith({ ".git/HEAD": "ref: refs/heads/main\n", "a/b/c.txt": "" });
  expect(await createBranch(join(folder, "a/b"))()).toBe("main");
  expect(await findRepository(join(folder, "a/b"))).toBe(folder);
});

test("takes a folder above only from its owner; the folder itself from anybody", async () => {
  const folder = await folderWith({ ".git/HEAD": "ref: refs/heads/main\n", "a/b/c.txt": "" });
  const { uid } = await stat(join(folder, ".git"));
  expect(await findRepository(join(folder, "a/b"), uid)).toBe(folder);
  expect(await findRepository(join(folder, "a/b"), uid + 1)).toBeUndefined();
  expect(await findRepository(folder, uid + 1)).toBe(folder);
});

test("follows the file of a worktree, whose folder may be named either way", async () => {
  const folder = await folderWith({
    "main/.git/HEAD": "ref: refs/heads/main\n",
    "main/.git/worktrees/side/HEAD": "ref: refs/heads/side\n",
    "near/.git": "gitdir: ../main/.git/worktrees/side\n",
  });
  await mkdir(join(folder, "far"));
  await writeFile(join(folder, "far/.git"), `gitdir: ${join(folder, "main/.git/worktrees/side")}\r\n`);

  expect(await createBranch(join(folder, "near"))()).toBe("side");
  expect(await createBranch(join(folder, "far"))()).toBe("side");
});

test("sees a switch, a repository that is made later and one that goes away", async () => {
  const folder = await folderWith({ "a.txt": "" });
  const branch = createBranch(folder);
  const seen = [await branch()];

  await put(folder, ".git/HEAD", "ref: refs/heads/aaa\n");
  seen.push(await branch());
  await put(folder, ".git/HEAD.lock", "ref: refs/heads/bbb\n");
  // Two switches may carry the same time.
  const { atime, mtime } = await stat(join(folder, ".git/HEAD"));
  await utimes(join(folder, ".git/HEAD"), atime, mtime);
  await utimes(join(folder, ".git/HEAD.lock"), atime, mtime);
  seen.push(await branch());
  await rename(join(folder, ".git/HEAD.lock"), join(folder, ".git/HEAD"));
  seen.push(await branch());
  await rm(join(folder, ".git"), { recursive: true });
  seen.push(await branch());

  expect(seen).toEqual([undefined, "aaa", "aaa", "bbb", undefined]);
});

test("does not read again what did not change", async () => {
  const folder = await folderWith({ ".git/HEAD": "ref: refs/heads/aaa\n" });
  const head = join(folder, ".git/HEAD");
  await utimes(head, 1000, 1000);
  const branch = createBranch(folder);
  await branch();

  // The same size and time in the same file: only a second look would tell.
  await writeFile(head, "ref: refs/heads/bbb\n");
  await utimes(head, 1000, 1000);

  expect(await branch()).toBe("aaa");
});

test.each([
  ["the head is a folder", { ".git/HEAD/x": "" }],
  ["there is no head", { ".git/config": "" }],
  ["the pointer points nowhere", { ".git": "gitdir: nowhere\n" }],
  ["the pointer is none", { ".git": "hello\n" }],
])("answers nothing where %s", async (_, files) => {
  expect(await createBranch(await folderWith(files))()).toBeUndefined();
});

test("answers nothing, at once, where the head is a pipe or the folder is not there", async () => {
  const folder = await folderWith({ ".git/config": "" });
  execFileSync("mkfifo", [join(folder, ".git/HEAD")]);
  expect(await createBranch(folder)()).toBeUndefined();
  expect(await createBranch(join(folder, "gone"))()).toBeUndefined();
});

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentao-branch-")));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) await put(folder, name, content);
  return folder;
}

async function put(folder: string, name: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}
