// What comes in on standard input: read to its end, bounded, and never waited for in silence.

import { fstatSync } from "node:fs";
import type { Io } from "../io/io.ts";
import { UsageError } from "../manual/usage-error.ts";

export interface ReadInputOptions {
  /** There is a prompt already: input that nobody writes can be gone on without. */
  readonly isOptional: boolean;
  /** How long nothing may come before somebody is told, or it is gone on without. */
  readonly quietMs?: number | undefined;
}

const QUIET_MS = 3_000;
const MAX_BYTES = 10 * 1024 * 1024;
const HINT = 'agentao run: waiting for standard input; end it, or start with "< /dev/null"\n';

/**
 * Nothing from a terminal, and what has come where the signal fires. Throws `UsageError` for too much, and for what is no
 * text.
 */
export async function readInput(io: Io, { isOptional, quietMs = QUIET_MS }: ReadInputOptions): Promise<string> {
  const { stdin, stderr, signal } = io;
  if (stdin.isTTY || signal.aborted) return "";
  const canGoOn = isOptional && isSocket(stdin);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const leave = (): void => void stdin.destroy();
  const quiet = setTimeout(() => (canGoOn ? leave() : stderr.write(HINT)), quietMs);
  signal.addEventListener("abort", leave, { once: true });
  try {
    for await (const chunk of stdin) {
      clearTimeout(quiet);
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw problem(`is larger than ${MAX_BYTES / 1024 / 1024} MiB; ${INSTEAD}`);
      if (piece.includes(0)) throw problem(`is not text; ${INSTEAD}`);
      chunks.push(piece);
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    // Where it was closed, what has come has come.
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ERR_STREAM_PREMATURE_CLOSE") throw problem(`cannot be read: ${message}`);
  } finally {
    clearTimeout(quiet);
    signal.removeEventListener("abort", leave);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const INSTEAD = "put it into a file, and say in the prompt which one it is";

function problem(what: string): UsageError {
  return new UsageError(`standard input ${what}`, { isInHelp: false });
}

/** A program that starts us may leave a socket open that it never writes to; a shell's pipe has a writer. */
function isSocket(stdin: Io["stdin"]): boolean {
  try {
    return fstatSync((stdin as { fd?: number }).fd ?? -1).isSocket();
  } catch {
    return false;
  }
}
