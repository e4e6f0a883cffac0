// The machine this process runs on. Reads go anywhere, writes only inside the roots, commands run in groups of their own.

import { readFile, stat } from "node:fs/promises";
import { attempt, errorCode } from "./attempt.ts";
import { findFiles } from "./find-files.ts";
import { listTree } from "./find-tree.ts";
import { createLineIndexes } from "./line-index.ts";
import { listFolder } from "./list-folder.ts";
import { type Machine, MachineError } from "./machine.ts";
import { countLines, lookAtFile, readText } from "./read-text.ts";
import { openToRead } from "./regular-file.ts";
import { createRipgrep, noRipgrep } from "./ripgrep.ts";
import { locate } from "./roots.ts";
import { runCommand } from "./run-command.ts";
import { createSandbox } from "./sandbox.ts";
import { searchText } from "./search-text.ts";
import { findShell } from "./shell.ts";
import { createPipes } from "./start-command.ts";
import { createWatchdog } from "./watchdog.ts";
import { writeText } from "./write-text.ts";

export interface LocalMachineOptions {
  /** Absolute folders that may be written, with all that is in them. */
  readonly roots: readonly string[];
  /** Where long outputs go, and pipes for a moment. Made when it is first needed; whoever names it removes it. */
  readonly spillFolder: string;
  /** A POSIX shell; bash or sh where none is named. */
  readonly shell?: string | undefined;
  /** "none" searches without it. */
  readonly ripgrep?: "none" | undefined;
}

export function localMachine(options: LocalMachineOptions): Machine {
  const { roots, spillFolder: folder } = options;
  const watchdog = createWatchdog();
  const pipes = createPipes(watchdog, folder);
  const sandbox = createSandbox(folder);
  const indexes = createLineIndexes();
  const ripgrep = options.ripgrep === "none" ? noRipgrep : createRipgrep();
  let shell = options.shell;

  return {
    readText: (path, range, signal) => attempt("read", path, signal, () => readText(path, range, { indexes, signal })),
    countLines: (path, signal) => attempt("read", path, signal, () => countLines(path, { indexes, signal })),
    readBytes: (path, maxBytes, signal) => attempt("read", path, signal, () => readBytes(path, maxBytes, signal)),
    look: (path, signal) => attempt("read", path, signal, () => lookAtFile(path)),
    writeText: (path, content, signal) => attempt("write", path, signal, () => writeText(path, content, roots, signal)),
    listFolder: (path, limit, signal) => attempt("list", path, signal, () => listFolder(path, limit, signal)),
    listTree: (path, limits, signal) => attempt("list", path, signal, () => listTree(path, limits, signal)),
    findFiles: (query, signal) => attempt("list", query.folder, signal, () => findFiles(query, roots, signal)),
    searchText: (query, signal) =>
      attempt("read", query.folder, signal, () => searchText(query, { roots, ripgrep }, signal)),
    stat: (path, signal) => attempt("read", path, signal, () => statAt(path)),
    resolveInside: (path, signal) => attempt("read", path, signal, async () => (await locate(path, roots)).real),
    fetch: async (query, signal) => (await import("./web-fetch.ts")).fetchWeb(query, signal),
    async run(command, runOptions) {
      shell ??= await findShell(runOptions.env);
      return runCommand(command, runOptions, { shell, watchdog, pipes, folder, sandbox });
    },
  };
}

async function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  await using handle = await openToRead(path);
  const { size } = await handle.stat();
  if (size > maxBytes) throw new MachineError("too-large", `${path} is larger than ${maxBytes} bytes`);
  return await readFile(handle, { signal });
}

async function statAt(path: string) {
  try {
    const stats = await stat(path);
    const type = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
    return { type, bytes: stats.size } as const;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
