// Stdout belongs to the protocol. Taking it means: whatever else writes to it, by console, by process.stdout or by the
// file descriptor, lands on stderr instead.

import { fs as nodeFs } from "./builtin.ts";
import type { NodeOutput } from "./node-stream.ts";

let owned: NodeOutput | undefined;

/**
 * Takes stdout for the protocol and answers the one way to write to it. Everything that prints from then on prints to
 * stderr. A second call answers the same. What no program can prevent: child processes that inherit stdout, workers
 * that write to descriptor 1, and paths such as /dev/stdout.
 */
export function ownStdout(): NodeOutput {
  if (owned !== undefined) return owned;
  // Touched first: a stdout that is a file takes its write function from `fs` when it is first used.
  const { stdout } = process;
  const end = stdout.end.bind(stdout) as () => void;
  owned = {
    write: stdout.write.bind(stdout) as NodeOutput["write"],
    end,
    // What a client does not read must not keep this process alive: Node itself never lets go of stdout.
    destroy: () => (stdout as { _handle?: { close?(): void } | null })._handle?.close?.(),
    get writableLength() {
      return stdout.writableLength;
    },
    get writableEnded() {
      return stdout.writableEnded;
    },
    on: (event, listener) => stdout.on(event, listener),
    off: (event, listener) => stdout.off(event, listener),
  };
  // Stderr is made when somebody prints; most agents never do.
  const print = ((...args: Parameters<typeof stdout.write>) => process.stderr.write(...args)) as typeof stdout.write;
  stdout.write = print;
  // Somebody else's end of stdout is not the end of the protocol.
  stdout.end = ((chunk?: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) print(chunk);
    return stdout;
  }) as typeof stdout.end;
  // Node destroys a stream whose writing failed, and says why by an error event: that we must hear.
  stdout.destroy = (cause) => {
    if (cause !== undefined) stdout.emit("error", cause);
    return stdout;
  };
  redirectDescriptor();
  return owned;
}

const WRITERS = [
  "write",
  "writeSync",
  "writev",
  "writevSync",
  "writeFile",
  "writeFileSync",
  "appendFile",
  "appendFileSync",
] as const;

/** Writes to descriptor 1 by number become writes to 2. Only those: our own go through the stream. */
function redirectDescriptor(): void {
  const fs = nodeFs();
  for (const name of WRITERS) {
    const original = fs[name] as (target: unknown, ...rest: unknown[]) => unknown;
    const redirected = (target: unknown, ...rest: unknown[]): unknown => original(target === 1 ? 2 : target, ...rest);
    Object.assign(fs, { [name]: Object.assign(redirected, original) });
  }
  // Named imports of these functions, made before or after, follow.
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}
