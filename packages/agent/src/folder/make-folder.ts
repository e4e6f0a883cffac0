// Makes a folder and those above it. Node's own way to do so never ends where a file system refuses to make anything and
// says that nothing is there, as /proc does.

import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fieldOf } from "../json/fields.ts";

/** `mode` is that of all folders it makes. Throws what the file system throws. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (cause) {
    if (isMissing(cause) && dirname(path) !== path && !(await isFolder(dirname(path)))) {
      await makeFolder(dirname(path), mode);
      return makeFolder(path, mode);
    }
    // A root that is read-only, or belongs to somebody else, is said to be there in other words.
    if (!(await isFolder(path))) throw cause;
  }
}

/** The same, for those who cannot wait. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (cause) {
    if (isMissing(cause) && dirname(path) !== path && !isFolderSync(dirname(path))) {
      makeFolderSync(dirname(path), mode);
      makeFolderSync(path, mode);
    } else if (!isFolderSync(path)) throw cause;
  }
}

function isMissing(cause: unknown): boolean {
  return fieldOf(cause, "code") === "ENOENT";
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isFolderSync(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
