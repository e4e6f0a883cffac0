// Makes a folder and those above it. Node's own way to do so never ends where a file system refuses to make anything and
// says that nothing is there, as /proc does.

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** `mode` is that of all folders it makes. Throws what the file system throws. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path && !isFolder(dirname(path))) {
      makeFolder(dirname(path), mode);
      makeFolder(path, mode);
      return;
    }
    // A root that is read-only, or belongs to somebody else, is said to be there in other words.
    if (!isFolder(path)) throw cause;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
