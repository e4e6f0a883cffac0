// Changes a small file whole or not at all. Whoever reads it meanwhile sees the old one or the new one, and of several who
// change it at once, each sees what the one before has written.

import { constants } from "node:fs";
import { type FileHandle, access as mayAccess, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeFolder } from "@agentao/agent/program";
import { type ConfigText, readConfig } from "../io/config-text.ts";
import { fieldOf } from "../json/fields.ts";

export interface ChangeOptions {
  /** `private`: for the person alone. `shared`: as it was, or as new files are. */
  readonly access: "private" | "shared";
}

/**
 * `change` is told what is there, and answers what shall be; nothing leaves it as it is. Follows a link, so that it stays
 * one. Throws what the file system throws, and what `change` throws.
 */
export async function changeFile(
  path: string,
  change: (before: ConfigText) => string | undefined,
  { access }: ChangeOptions,
): Promise<void> {
  const target = await targetOf(path);
  await makeFolder(dirname(target), access === "private" ? 0o700 : 0o777);
  const draft = join(dirname(target), `.${basename(target)}.lock`);
  const file = await take(draft);
  let isRenamed = false;
  try {
    const text = change(await readConfig(target));
    if (text === undefined) return;
    await prepare(file, target, access);
    await file.writeFile(text);
    await file.sync();
    await rename(draft, target);
    isRenamed = true;
  } finally {
    await file.close();
    if (!isRenamed) await rm(draft, { force: true });
  }
}

/** Where a link leads to, also when nothing is there yet. */
async function targetOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    const to = await readlink(path).catch(() => undefined);
    if (to === undefined) return path;
    if (links >= MAX_LINKS) throw cause;
    return targetOf(resolve(dirname(path), to), links + 1);
  }
}

const MAX_LINKS = 20;

/** The draft is the lock: nobody else writes while it is there. Nobody takes that long, so an old one was left by a crash. */
async function take(draft: string): Promise<FileHandle> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await open(draft, "wx", 0o600);
    } catch (cause) {
      if (fieldOf(cause, "code") !== "EEXIST") throw cause;
      if (Date.now() > end) throw new Error(`another program is changing it; if not, delete ${draft}`);
      if (await isStale(draft)) await removeStale(draft);
      await setTimeout(RETRY_MS);
    }
  }
}

/** One at a time, so that nobody takes a new one for the old one. */
async function removeStale(draft: string): Promise<void> {
  const right = `${draft}.stale`;
  const file = await open(right, "wx", 0o600).catch(() => undefined);
  if (file === undefined) return;
  await file.close();
  if (await isStale(draft)) await rm(draft, { force: true });
  await rm(right, { force: true });
}

async function isStale(draft: string): Promise<boolean> {
  const found = await stat(draft).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

const PATIENCE_MS = 15_000;
const STALE_MS = 10_000;
const RETRY_MS = 20;

/** As the file that it takes the place of. One that nobody may write stays, also for those who may do everything. */
async function prepare(file: FileHandle, target: string, access: ChangeOptions["access"]): Promise<void> {
  const known = await stat(target).catch(() => undefined);
  if (known !== undefined) {
    await mayAccess(target, constants.W_OK);
    if (process.platform !== "win32" && (known.mode & 0o222) === 0) throw new Error("it is read-only");
    // Whoever works as root leaves it to whom it belongs.
    if (known.uid !== process.getuid?.()) await file.chown(known.uid, known.gid).catch(() => {});
  }
  const asItIs = known === undefined ? 0o666 & ~process.umask() : known.mode & 0o777;
  await file.chmod(access === "private" ? 0o600 : asItIs);
}
