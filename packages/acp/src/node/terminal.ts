// One command in the background: what it wrote last, and how it ended. Knows nothing of ids and sessions.

import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { createOutputTail } from "./output-tail.ts";
import { endGroup } from "./process-group.ts";

/** Exactly one of the two is null. */
export type TerminalExit = { readonly exitCode: number | null; readonly signal: string | null };

export type Terminal = {
  /** The output so far. `exit` is there once the command has exited and its output is complete. */
  look(): { output: string; truncated: boolean; exit: TerminalExit | undefined };
  /** Never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Sends SIGTERM before it returns; resolves once the whole group is gone. May be called again, at any time. */
  end(): Promise<void>;
  /** Ends, and lets go of the pipes: nothing is left of it afterwards. */
  release(): Promise<void>;
};

/** A grandchild may hold the pipes open long after the command has exited: output that comes later is not waited for. */
const DRAIN_MS = 250;

/** Takes over a child that was started by `spawnGroup` with its output piped. */
export function createTerminal(
  child: ChildProcess,
  options: { readonly outputBytes: number; readonly graceMs: number },
): Terminal {
  const tail = createOutputTail(options.outputBytes);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const sources = streams.map((stream) => follow(stream, tail.source()));
  const { promise: exited, resolve } = withResolvers<TerminalExit>();
  let exit: TerminalExit | undefined;
  let drain: NodeJS.Timeout | undefined;

  const report = (): void => {
    clearTimeout(drain);
    if (exit !== undefined) return;
    for (const source of sources) source.flush();
    exit = toExit(child);
    resolve(exit);
  };
  child.once("close", report);
  child.once("exit", () => {
    // A busy loop may find this timer due before it has read what was written in time: one more turn, then.
    drain = setTimeout(() => setImmediate(report), DRAIN_MS);
  });

  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= endGroup(child, { graceMs: options.graceMs });
    return ending;
  };
  return {
    look: () => ({ output: tail.text(), truncated: tail.truncated, exit }),
    exited,
    end,
    async release() {
      await end();
      for (const stream of streams) stream.destroy();
      report();
    },
  };
}

function follow(stream: Readable, source: { write(chunk: Buffer): void; flush(): void }) {
  stream.on("data", (chunk: Buffer) => source.write(chunk));
  stream.on("end", () => source.flush());
  // A broken pipe says no more than its end, which follows.
  stream.on("error", () => {});
  return source;
}

/** A process that outlived SIGKILL is stuck in the kernel; for whoever waits, it is gone. */
function toExit(child: ChildProcess): TerminalExit {
  if (child.signalCode !== null) return { exitCode: null, signal: child.signalCode };
  if (child.exitCode !== null) return { exitCode: child.exitCode, signal: null };
  return { exitCode: null, signal: "SIGKILL" };
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
