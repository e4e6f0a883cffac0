// What the local machine does, all of it. Loaded when something is first done.

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { attempt } from "./attempt.ts";
import { findFiles } from "./find-files.ts";
import { listTree } from "./find-tree.ts";
import { createLineIndexes } from "./line-index.ts";
import { listFolder } from "./list-folder.ts";
import type { LocalMachineOptions } from "./local-machine-options.ts";
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
import { createMarks } from "./stray.ts";
import { createWatchdog } from "./watchdog.ts";
import { writeText } from "./write-text.ts";

export function createHands(options: LocalMachineOptions): Omit<Machine, "stat"> {
  const { roots, spillFolder: folder, home = homedir() } = options;
  const watchdog = createWatchdog();
  const pipes = createPipes(watchdog, folder);
  const sandbox = createSandbox(folder);
  const marks = createMarks();
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
    listTree: (path, limits, signal) => attempt("list", path, signal, () => listTree(path, limits, home, signal)),
    findFiles: (query, signal) =>
      attempt("list", query.folder, signal, () => findFiles(query, { roots, home }, signal)),
    searchText: (query, signal) =>
      attempt("read", query.folder, signal, () => searchText(query, { roots, home, ripgrep }, signal)),
    resolveInside: (path, signal) => attempt("read", path, signal, async () => (await locate(path, roots)).real),
    fetch: async (query, signal) => (await import("./web-fetch.ts")).fetchWeb(query, signal),
    async run(command, runOptions) {
      shell ??= await findShell(runOptions.env);
      return runCommand(command, runOptions, { shell, watchdog, pipes, folder, sandbox, marks });
    },
    close: async () => marks.endAll(),
  };
}

async function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  await using handle = await openToRead(path);
  const { size } = await handle.stat();
  if (size > maxBytes) throw new MachineError("too-large", `${path} is larger than ${maxBytes} bytes`);
  return await readFile(handle, { signal });
}
