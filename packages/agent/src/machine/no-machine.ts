// A machine for sessions that have none: every hand it could lend is refused, and nothing is touched.

import { type Machine, MachineError } from "./machine.ts";

export function noMachine(): Machine {
  const refuse = async (): Promise<never> => {
    throw new MachineError("denied", "This session has no machine: there are no files and no commands here.");
  };
  return {
    readText: refuse,
    countLines: refuse,
    readBytes: refuse,
    look: refuse,
    writeText: refuse,
    listFolder: refuse,
    listTree: refuse,
    findFiles: refuse,
    searchText: refuse,
    stat: refuse,
    resolveInside: refuse,
    run: refuse,
    fetch: refuse,
  };
}
