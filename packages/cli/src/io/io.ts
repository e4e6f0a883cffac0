// The world a command runs in, so that tests can be one.

import type { Readable, Writable } from "node:stream";

export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Fires when the person wants it to end: Ctrl-C, SIGTERM. */
  readonly signal: AbortSignal;
}
