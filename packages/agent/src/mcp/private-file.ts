// Files for the person alone: nobody else may read them, and whoever reads finds the old text or the new one.

import { randomBytes } from "node:crypto";
import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../folder/make-folder.ts";

/** Makes the folder where there is none. Rejects where it cannot be written; then the old text is there. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path), 0o700);
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await unlink(temporary).catch(() => {});
    throw cause;
  }
}
