// Starts a command so that nothing of it can be lost: its output arrives through one pipe in the order it was written,
// and it begins to run only once the watchdog knows it.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { isMainThread } from "node:worker_threads";
import { makeFolder } from "../folder/make-folder.ts";
import { INSIDE_FD } from "./bubblewrap.ts";
import type { ProcessGroup } from "./process-group.ts";
import type { Confined } from "./sandbox-confined.ts";
import type { Watchdog } from "./watchdog.ts";

export interface StartedCommand {
  readonly child: ChildProcess;
  readonly group: ProcessGroup;
  /** Stdout and stderr. Ends when the last process that has them lets go. */
  readonly output: readonly Readable[];
}

export interface StartOptions {
  readonly shell: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly watchdog: Watchdog;
  readonly pipes: Pipes;
  /** Fired before the start, it keeps the command from running; later it is the caller's business. */
  readonly signal: AbortSignal;
  readonly confined?: Confined | undefined;
}

const WINDOWS = process.platform === "win32";
/** How long a pipe is kept for a next command that does not come. */
const PREPARED_MS = 3_000;

// The leader of the group waits for a line before it becomes the command; when we die instead, it ends.
const GATE = 'read -r go <&3 && exec "$@" 3<&-';

/** Rejects with the error of the system when it cannot be started. */
export async function startCommand(command: string, options: StartOptions): Promise<StartedCommand> {
  if (WINDOWS) return startUnwatched(command, options);
  const pipe = await options.pipes.take();
  const fd = pipe?.writer;
  const { confined } = options;
  const words = [...(confined?.words ?? []), options.shell, "-c", command];
  const args = ["-c", fd === undefined ? `exec 2>&1; ${GATE}` : GATE, "sh", ...words];
  const reader = pipe && new Socket({ fd: pipe.reader, readable: true, writable: false });
  try {
    const child = spawn("/bin/sh", args, {
      cwd: options.cwd,
      env: { ...(confined?.env ?? options.env) },
      stdio: ["ignore", fd ?? "pipe", fd ?? "ignore", "pipe", ...(confined?.isNested ? ["pipe" as const] : [])],
      detached: true,
    });
    await started(child);
    options.watchdog.hold(child.pid as number);
    const gate = child.stdio[3] as Writable;
    // Closed before it was opened: the command was killed, which its exit tells.
    gate.on("error", () => {});
    gate.end(options.signal.aborted ? "" : "\n", () => gate.destroy());
    const group: ProcessGroup = { leader: child };
    if (confined?.isNested) readInside(child.stdio[INSIDE_FD] as Readable, group);
    options.pipes.prepare();
    return { child, group, output: [reader ?? (child.stdout as Readable)] };
  } catch (error) {
    reader?.destroy();
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Real pipes. Node connects its children by sockets, and on Linux those cannot be opened by name: `echo x >/dev/stderr`
 * would fail. One is made ahead while a command runs, since that takes as long as starting a process.
 */
export interface Pipes {
  /** Undefined where that is not needed or not possible; a socket then has to do. Who takes it closes it. */
  take(): Promise<Pipe | undefined>;
  prepare(): void;
}

/** Descriptors. */
interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

/** `folder` is for pipes that have a name while they are opened. */
export function createPipes(watchdog: Watchdog, folder: string, { preparedMs = PREPARED_MS } = {}): Pipes {
  let next: Promise<Pipe | undefined> | undefined;
  let leave: NodeJS.Timeout | undefined;
  const take = (): Promise<Pipe | undefined> => {
    clearTimeout(leave);
    const pipe = next ?? makePipe(watchdog, folder);
    next = undefined;
    return pipe;
  };

  return {
    take,
    prepare() {
      next ??= makePipe(watchdog, folder);
      clearTimeout(leave);
      leave = setTimeout(async () => {
        const unused = await take();
        for (const fd of unused === undefined ? [] : [unused.reader, unused.writer]) closeSync(fd);
      }, preparedMs).unref();
    },
  };
}

async function makePipe(watchdog: Watchdog, folder: string): Promise<Pipe | undefined> {
  // A worker closes at its end every descriptor it opened by number, also those a stream has closed long before.
  if (process.platform !== "linux" || !isMainThread) return undefined;
  const path = join(folder, `pipe-${randomBytes(6).toString("hex")}`);
  try {
    await makeFolder(folder, 0o700);
    if (!(await watchdog.makeFifo(path))) return undefined;
    // In this order neither opening waits for the other end, and the reader never meets the end too early.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { reader, writer: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      closeSync(reader);
      throw error;
    }
  } catch {
    return undefined;
  } finally {
    await unlink(path).catch(() => {});
  }
}

/** What the sandbox tells of itself is one short piece of JSON; later it says nothing. */
function readInside(told: Readable, group: ProcessGroup): void {
  let text = "";
  told.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    const pid = /"child-pid":\s*(\d+)\D/.exec(text)?.[1];
    if (pid !== undefined) group.inside = Number(pid);
  });
  told.on("error", () => {});
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // Also later ones, which say nothing that the exit does not.
    child.on("error", reject);
  });
}

async function startUnwatched(command: string, { shell, cwd, env }: StartOptions): Promise<StartedCommand> {
  const stdio = ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"];
  const child = spawn(shell, ["-c", command], { cwd, env: { ...env }, stdio, windowsHide: true });
  await started(child);
  return { child, group: { leader: child }, output: [child.stdout, child.stderr] };
}
