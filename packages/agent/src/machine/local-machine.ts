// The machine this process runs on. Reads go anywhere, writes only inside the roots, commands run in groups of their own.
// To open a session it only has to look; everything else is loaded when it is first done.

import { stat } from "node:fs/promises";
import { errorCode } from "../fault/error-code.ts";
import { attempt } from "./attempt.ts";
import type { LocalMachineOptions } from "./local-machine-options.ts";
import type { Machine } from "./machine.ts";

type Hands = Omit<Machine, "stat">;

export function localMachine(options: LocalMachineOptions): Machine {
  let loading: Promise<Hands> | undefined;
  const hands = (): Promise<Hands> => {
    loading ??= import("./local-hands.ts").then(({ createHands }) => createHands(options));
    return loading;
  };
  return {
    stat: (path, signal) => attempt("read", path, signal, () => statAt(path)),
    readText: async (...args) => (await hands()).readText(...args),
    countLines: async (...args) => (await hands()).countLines(...args),
    readBytes: async (...args) => (await hands()).readBytes(...args),
    look: async (...args) => (await hands()).look(...args),
    writeText: async (...args) => (await hands()).writeText(...args),
    listFolder: async (...args) => (await hands()).listFolder(...args),
    listTree: async (...args) => (await hands()).listTree(...args),
    findFiles: async (...args) => (await hands()).findFiles(...args),
    searchText: async (...args) => (await hands()).searchText(...args),
    resolveInside: async (...args) => (await hands()).resolveInside(...args),
    fetch: async (...args) => (await hands()).fetch(...args),
    run: async (...args) => (await hands()).run(...args),
    close: async () => (await loading)?.close?.(),
  };
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
