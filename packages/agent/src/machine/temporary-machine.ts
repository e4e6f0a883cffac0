// For tests: a local machine with one root in a temporary folder, and something outside of it.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { localMachine } from "./local-machine.ts";
import type { CommandOptions, Machine } from "./machine.ts";

export interface TemporaryMachine extends AsyncDisposable {
  readonly machine: Machine;
  readonly root: string;
  readonly outside: string;
  readonly spillFolder: string;
  /** Writes a file below the root, and answers its path. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  /** The text of a file below the root. */
  get(name: string): Promise<string>;
  /** What a command needs to run, with a signal that never fires. */
  command(options?: Partial<CommandOptions>): CommandOptions;
}

export async function temporaryMachine(options: { shell?: string } = {}): Promise<TemporaryMachine> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "agentao-machine-")));
  const [root, outside, spillFolder] = [join(base, "root"), join(base, "outside"), join(base, "spill")];
  await mkdir(root);
  await mkdir(outside);
  return {
    machine: localMachine({ roots: [root], spillFolder, ...options }),
    root,
    outside,
    spillFolder,
    async put(name, content) {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    get: (name) => readFile(join(root, name), "utf8"),
    command: (more) => ({
      cwd: root,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      inactivityMs: 60_000,
      totalMs: 60_000,
      signal: new AbortController().signal,
      ...more,
    }),
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}
