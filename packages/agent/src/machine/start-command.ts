// Starts a command so that nothing of it can be lost: its output arrives through one pipe in the order it was written,
// and it begins to run only once the watchdog knows it.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { mkdir, unlink } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { isMainThread } from "node:worker_threads";
import type { Watchdog } from "./watchdog.ts";

export interface StartedCommand {
  readonly child: ChildProcess;
  /** Stdout and stderr. Ends when the last process that has them lets go. */
  readonly output: readonly Readable[];
}

export interface StartOptions {
  readonly shell: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly watchdog: Watchdog;
  /** For pipes that have a name while they are opened. */
  readonly folder: string;
  /** Fired before the start, it keeps the command from running; later it is the caller's business. */
  readonly signal: AbortSignal;
}

const WINDOWS = process.platform === "win32";

// The leader of the group waits for a line before it becomes the command; when we die instead, it ends.
const GATE = 'read -r go <&3 && exec "$@" 3<&-';

/** Rejects with the error of the system when it cannot be started. */
export async function startCommand(command: string, options: StartOptions): Promise<StartedCommand> {
  if (WINDOWS) return startUnwatched(command, options);
  const pipe = await openPipe(options);
  const fd = pipe?.writer;
  const args = ["-c", fd === undefined ? `exec 2>&1; ${GATE}` : GATE, "sh", options.shell, "-c", command];
  try {
    const child = spawn("/bin/sh", args, {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ["ignore", fd ?? "pipe", fd ?? "ignore", "pipe"],
      detached: true,
    });
    await started(child);
    options.watchdog.hold(child.pid as number);
    const gate = child.stdio[3] as Writable;
    // Closed before it was opened: the command was killed, which its exit tells.
    gate.on("error", () => {});
    gate.end(options.signal.aborted ? "" : "\n", () => gate.destroy());
    return { child, output: [pipe?.reader ?? (child.stdout as Readable)] };
  } catch (error) {
    pipe?.reader.destroy();
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * A real pipe. Node connects its children by sockets, and on Linux those cannot be opened by name: `echo x >/dev/stderr`
 * would fail. Undefined where that is not needed or not possible; a socket then has to do.
 */
async function openPipe({ watchdog, folder }: StartOptions) {
  // A worker closes at its end every descriptor it opened by number, also those a stream has closed long before.
  if (process.platform !== "linux" || !isMainThread) return undefined;
  const path = join(folder, `pipe-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await watchdog.makeFifo(path))) return undefined;
    // In this order neither opening waits for the other end, and the reader never meets the end too early.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const reader = new Socket({ fd, readable: true, writable: false });
    try {
      return { reader, writer: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      reader.destroy();
      throw error;
    }
  } catch {
    return undefined;
  } finally {
    await unlink(path).catch(() => {});
  }
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
  return { child, output: [child.stdout, child.stderr] };
}
