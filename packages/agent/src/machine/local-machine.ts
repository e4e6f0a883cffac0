// The machine this process runs on. Reads go anywhere, writes only inside the roots, commands run in groups of their own.

import { readFile, stat } from "node:fs/promises";
import { attempt, errorCode } from "./attempt.ts";
import { listFolder } from "./list-folder.ts";
import { type Machine, MachineError } from "./machine.ts";
import { countLines, readText } from "./read-text.ts";
import { openToRead } from "./regular-file.ts";
import { locate } from "./roots.ts";
import { runCommand } from "./run-command.ts";
import { findShell } from "./shell.ts";
import { createWatchdog } from "./watchdog.ts";
import { writeText } from "./write-text.ts";

export interface LocalMachineOptions {
  /** Absolute folders that may be written, with all that is in them. */
  readonly roots: readonly string[];
  /** Where long outputs go, and pipes for a moment. Made when it is first needed; whoever names it removes it. */
  readonly spillFolder: string;
  /** A POSIX shell; bash or sh where none is named. */
  readonly shell?: string | undefined;
}

export function localMachine(options: LocalMachineOptions): Machine {
  const { roots, spillFolder: folder } = options;
  const watchdog = createWatchdog();
  let shell = options.shell;

  return {
    readText: (path, range, signal) => attempt("read", path, signal, () => readText(path, range, signal)),
    countLines: (path, signal) => attempt("read", path, signal, () => countLines(path, signal)),
    readBytes: (path, maxBytes, signal) => attempt("read", path, signal, () => readBytes(path, maxBytes, signal)),
    writeText: (path, content, signal) => attempt("write", path, signal, () => writeText(path, content, roots, signal)),
    listFolder: (path, limit, signal) => attempt("list", path, signal, () => listFolder(path, limit, signal)),
    stat: (path, signal) => attempt("read", path, signal, () => look(path)),
    resolveInside: (path, signal) => attempt("read", path, signal, async () => (await locate(path, roots)).real),
    async run(command, runOptions) {
      shell ??= await findShell(runOptions.env);
      return runCommand(command, runOptions, { shell, watchdog, folder });
    },
  };
}

async function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  await using handle = await openToRead(path);
  const { size } = await handle.stat();
  if (size > maxBytes) throw new MachineError("too-large", `${path} is larger than ${maxBytes} bytes`);
  return await readFile(handle, { signal });
}

async function look(path: string) {
  try {
    const stats = await stat(path);
    const type = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
    return { type, bytes: stats.size } as const;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
