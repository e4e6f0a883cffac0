// The branch a folder is on, read from git's files: no process for a word in the status line.

import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** A short commit id where no branch is checked out; nothing outside of a repository. */
export async function readBranch(cwd: string): Promise<string | undefined> {
  const folder = await findGitFolder(cwd);
  if (folder === undefined) return undefined;
  const head = (await readFile(join(folder, "HEAD"), "utf8").catch(() => "")).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return branch;
  return /^[0-9a-f]{7,}$/.test(head) ? head.slice(0, 7) : undefined;
}

async function findGitFolder(cwd: string): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return path;
    if (found?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(await readFile(path, "utf8").catch(() => ""))?.[1];
      return named === undefined ? undefined : resolve(folder, named.trim());
    }
    if (dirname(folder) === folder) return undefined;
  }
}
