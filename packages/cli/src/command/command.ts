// What a command of the program is. Adding one is a file here and a line in `index.ts`.

import type { Readable, Writable } from "node:stream";

/** The world a command runs in, so that tests can be one. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Fires when the person wants it to end: Ctrl-C, SIGTERM. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** What `agentao NAME --help` prints: usage, options, examples, exit codes. */
  readonly help: string;
  /** Answers the exit code. Bad arguments are a `UsageError`. */
  run(args: readonly string[], io: Io): Promise<number>;
}

/** What is wrong with the command line. Told with a hint where help is; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
