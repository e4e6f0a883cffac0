// Makes a folder and those above it. Node's own way to do so never ends where a file system refuses to make anything and
// says that nothing is there, as /proc does.

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** `mode` is that of all folders it makes. Throws what the file system throws. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path && !(await isFolder(dirname(path)))) {
      await makeFolder(dirname(path), mode);
      return makeFolder(path, mode);
    }
    // A root that is read-only, or belongs to somebody else, is said to be there in other words.
    if (!(await isFolder(path))) throw cause;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
