// Stdout belongs to the protocol. Taking it means: whatever else writes to it, by console, by process.stdout or by the
// file descriptor, lands on stderr instead.

import { fs as nodeFs } from "./builtin.ts";
import type { NodeOutput } from "./node-stream.ts";

let owned: NodeOutput | undefined;

/**
 * Takes stdout for the protocol and answers the one way to write to it. Everything that prints from then on prints to
 * stderr. A second call answers the same. Child processes must not inherit stdout: that no program can prevent.
 */
export function ownStdout(): NodeOutput {
  if (owned !== undefined) return owned;
  // Touched first: a stdout that is a file takes its write function from `fs` when it is first used.
  const { stdout, stderr } = process;
  owned = {
    write: stdout.write.bind(stdout) as NodeOutput["write"],
    end: () => stdout.end(),
    get writableLength() {
      return stdout.writableLength;
    },
    get writableEnded() {
      return stdout.writableEnded;
    },
    on: (event, listener) => stdout.on(event, listener),
    off: (event, listener) => stdout.off(event, listener),
  };
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  redirectDescriptor();
  return owned;
}

/** Writes to descriptor 1 by number become writes to 2. Only those: our own go through the stream. */
function redirectDescriptor(): void {
  const fs = nodeFs();
  const names = ["write", "writeSync", "writev", "writevSync"] as const;
  for (const name of names) {
    const original = fs[name] as (fd: number, ...rest: unknown[]) => unknown;
    const redirected = (fd: number, ...rest: unknown[]): unknown => original(fd === 1 ? 2 : fd, ...rest);
    Object.assign(fs, { [name]: Object.assign(redirected, original) });
  }
  // Named imports of these functions, made before or after, follow.
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}
