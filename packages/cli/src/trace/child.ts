// A program between whose pipes and ours nothing stands: raw bytes in, raw bytes out, and an end of its whole process group.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
  /** It has exited, and all it wrote has been read. */
  readonly closed: Promise<Exit>;
  /** Sends a signal to it and what it started, and SIGKILL to whoever is left after the grace. */
  end(signal: NodeJS.Signals): Promise<Exit>;
}

export interface ChildOptions {
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly graceMs?: number | undefined;
}

const GRACE_MS = 2_000;
const WINDOWS = process.platform === "win32";

/** Rejects with a sentence that says what to do when the program cannot be started. */
export async function startChild(command: readonly string[], options: ChildOptions): Promise<Child> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: !WINDOWS,
    windowsHide: true,
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const closed = new Promise<Exit>((resolve) => {
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  // Whoever died first shows here as EPIPE; that it is gone is told by its exit.
  child.stdin.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => reject(new Error(describe(program, cause), { cause })));
  });
  const killAtExit = (): void => void signalGroup(child, "SIGKILL");
  process.once("exit", killAtExit);
  void exited.then(() => process.off("exit", killAtExit));
  return {
    pid: child.pid as number,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    closed,
    end: async (signal) => {
      signalGroup(child, signal);
      const timer = setTimeout(() => signalGroup(child, "SIGKILL"), options.graceMs ?? GRACE_MS);
      const exit = await exited;
      clearTimeout(timer);
      // What it left behind in its group goes with it.
      signalGroup(child, "SIGKILL");
      return exit;
    },
  };
}

/** What a shell would answer: the code, or 128 and the number of the signal. */
export function toExitCode({ exitCode, signal }: Exit): number {
  if (exitCode !== null) return exitCode;
  return 128 + (signal === null ? 1 : (constants.signals[signal] ?? 1));
}

function signalGroup(child: ChildProcessByStdio<Writable, Readable, Readable>, signal: NodeJS.Signals): void {
  try {
    if (WINDOWS) child.kill(signal);
    else process.kill(-(child.pid as number), signal);
  } catch {
    // Nobody is left.
  }
}

function describe(program: string, cause: NodeJS.ErrnoException): string {
  if (cause.code === "ENOENT")
    return `cannot start ${program}: there is no such program. Is it installed and on the PATH?`;
  if (cause.code === "EACCES") return `cannot start ${program}: it is not executable`;
  return `cannot start ${program}: ${cause.message}`;
}
