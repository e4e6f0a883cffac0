// Writes a small file whole or not at all. Whoever reads it meanwhile sees the old one or the new one.

import { randomBytes } from "node:crypto";
import { chmod, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";

export interface WriteOptions {
  /** `private`: for the person alone. `shared`: as it was, or as new files are. */
  readonly access: "private" | "shared";
}

/** Follows a link, so that it stays one. Throws what the file system throws. */
export async function writeWhole(path: string, text: string, { access }: WriteOptions): Promise<void> {
  await makeFolder(dirname(path), access === "private" ? 0o700 : 0o777);
  const target = await realpath(path).catch(() => path);
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.new`);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (access === "shared") await chmod(draft, await modeOf(target));
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

async function modeOf(path: string): Promise<number> {
  const known = await stat(path).catch(() => undefined);
  return known === undefined ? 0o666 & ~process.umask() : known.mode & 0o777;
}
