// Opens files to be read, anywhere on the machine. Only regular ones: opening a device may act on it, and opening a FIFO
// waits for its other end.

import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { MachineError } from "./machine.ts";

/** Windows knows neither flag. */
export const NO_SURPRISE = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Links are followed. The caller closes it. */
export async function openToRead(path: string): Promise<FileHandle> {
  refuseUnlessFile(await stat(path), path);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    // What was looked at and what was opened may differ.
    refuseUnlessFile(await handle.stat(), path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function refuseUnlessFile(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new MachineError("not-a-file", `${path} is a folder`);
  throw new MachineError("not-a-file", `${path} is a pipe, a socket or a device, not a file`);
}
