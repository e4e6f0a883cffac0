// What is appended to the log of an agent from now on.

import { watch } from "node:fs";
import { open, stat } from "node:fs/promises";
import { logPath } from "./server-log.ts";
import { makeRunFolder, runFolder } from "./server-state.ts";
import { untilAborted } from "./until-aborted.ts";

/** A watch may miss what happens on some file systems; looking now and then does not. */
const LOOK_MS = 500;

/** Until the signal. A log that was put aside is read to its end, and the new one from its beginning. */
export async function followLog(
  cwd: string,
  name: string,
  print: (bytes: Uint8Array) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = logPath(cwd, name);
  let at = await sizeOf(path);
  const catchUp = async (): Promise<void> => {
    const size = await sizeOf(path);
    if (size < at) {
      await printFrom(`${path}.1`, at, print);
      at = 0;
    }
    at += await printFrom(path, at, print);
  };
  let printing = Promise.resolve();
  const look = (): void => {
    printing = printing.then(catchUp).catch(() => {});
  };
  // It may not have been started yet.
  makeRunFolder(cwd);
  const watcher = watch(runFolder(cwd), look);
  watcher.on("error", () => {});
  const timer = setInterval(look, LOOK_MS);
  await untilAborted(signal);
  clearInterval(timer);
  watcher.close();
  await printing;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** How much there was. */
async function printFrom(path: string, at: number, print: (bytes: Uint8Array) => void): Promise<number> {
  const size = await sizeOf(path);
  if (size <= at) return 0;
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size - at), 0, size - at, at);
    print(buffer.subarray(0, bytesRead));
    return bytesRead;
  } finally {
    await file.close();
  }
}
