// Which branch a folder is on, from the files git keeps: no process is started, and nothing is written.

import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openToRead } from "../machine/regular-file.ts";

const MAX_POINTER_BYTES = 4096;

/** Answers the branch, or the short hash of a commit nobody named. Reads again what changed; never rejects. */
export function createBranch(cwd: string): () => Promise<string | undefined> {
  let known: { readonly stamp: string; readonly branch: string | undefined } | undefined;
  return async () => {
    try {
      const head = await findHead(cwd);
      if (head === undefined) return undefined;
      const stamp = await stampOf(head);
      if (known?.stamp !== stamp) known = { stamp, branch: parseHead(await readPointer(head)) };
      return known.branch;
    } catch {
      return undefined;
    }
  };
}

/**
 * The nearest folder upwards that has a `.git`. Above `cwd` itself, which the person chose, only one of the person's own:
 * whoever can write into a folder above could else tell us what to do.
 */
export async function findRepository(cwd: string, user = process.getuid?.()): Promise<string | undefined> {
  const folders = [...upwards(cwd)];
  const owners = await Promise.all(folders.map((folder) => ownerOf(join(folder, ".git"))));
  const at = owners.findIndex((owner) => owner !== undefined);
  return at <= 0 || user === undefined || owners[at] === user ? folders[at] : undefined;
}

function* upwards(folder: string): Generator<string> {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* upwards(parent);
}

function ownerOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );
}

async function findHead(cwd: string): Promise<string | undefined> {
  const repository = await findRepository(cwd);
  if (repository === undefined) return undefined;
  const git = join(repository, ".git");
  if ((await stat(git)).isDirectory()) return join(git, "HEAD");
  // Worktrees and submodules have a file that names the folder.
  const folder = /^gitdir: (.+?)\s*$/m.exec(await readPointer(git))?.[1];
  return folder === undefined ? undefined : join(resolve(repository, folder), "HEAD");
}

/** Git replaces the file; two changes within one tick of the clock have different numbers. */
async function stampOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${path}\n${mtimeMs} ${size} ${ino}`;
}

function parseHead(head: string): string | undefined {
  const reference = /^ref: (?:refs\/heads\/)?(\S+)\s*$/.exec(head)?.[1];
  // Repositories with another store of references keep this as a placeholder.
  if (reference !== undefined) return reference === ".invalid" ? undefined : reference;
  return /^([0-9a-f]{7})[0-9a-f]{33,57}\s*$/i.exec(head)?.[1];
}

async function readPointer(path: string): Promise<string> {
  const handle = await openToRead(path);
  try {
    const buffer = Buffer.alloc(MAX_POINTER_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, MAX_POINTER_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
