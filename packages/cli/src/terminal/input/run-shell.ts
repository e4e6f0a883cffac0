// `!command`: runs in the person's shell, as the person. The agent hears nothing of it.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";

export interface ShellResult {
  readonly output: string;
  /** In words, where it is worth a word: how it ended, what was left out. */
  readonly ending: string | undefined;
}

/** The end of the output is kept, so much of it. */
const MAX_CHARS = 100_000;
/** A command that has ended and was silent for so long has said all. */
const SILENCE_MS = 300;

export interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** All output so far, bounded. */
  onOutput(output: string): void;
}

export function runShell(command: string, { cwd, env, signal, onOutput }: ShellOptions): Promise<ShellResult> {
  const isWindows = process.platform === "win32";
  const shell = isWindows ? (env.ComSpec ?? "cmd.exe") : (env.SHELL ?? "/bin/sh");
  const args = isWindows ? ["/d", "/s", "/c", command] : ["-c", command];
  return new Promise((resolve) => {
    const child = spawn(shell, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: !isWindows });
    let output = "";
    let dropped = 0;
    let isOver = false;
    const hear = (decoder: StringDecoder) => (bytes: Buffer) => {
      if (isOver) return;
      output += decoder.write(bytes);
      if (output.length > MAX_CHARS) {
        dropped += output.length - MAX_CHARS;
        output = output.slice(-MAX_CHARS);
      }
      onOutput(output);
    };
    const pipes = [child.stdout, child.stderr] as Socket[];
    for (const pipe of pipes) pipe.on("data", hear(new StringDecoder("utf8")));
    const stop = (): void => endGroup(child.pid, isWindows);
    signal.addEventListener("abort", stop, { once: true });
    const finish = (...endings: readonly (string | undefined)[]): void => {
      isOver = true;
      signal.removeEventListener("abort", stop);
      const cut = dropped === 0 ? undefined : `the first ${dropped} characters were left out`;
      const words = [...endings, cut].filter((word) => word !== undefined);
      resolve({ output, ending: words.length === 0 ? undefined : words.join("; ") });
    };
    const endingOf = (code: number | null, killer: string | null): string | undefined => {
      if (killer !== null) return signal.aborted ? "stopped" : `ended by ${killer}`;
      return code === 0 ? undefined : `exit code ${code}`;
    };
    child.once("error", (cause) => finish(existsSync(cwd) ? cause.message : `the folder ${cwd} is gone`));
    child.once("exit", (code, killer) => {
      whenSilent(pipes, () => finish(endingOf(code, killer), "what it started in the background goes on"));
    });
    child.once("close", (code, killer) => finish(endingOf(code, killer)));
    if (signal.aborted) stop();
  });
}

/** Something in the background may hold the pipes for ever. They are still read, so that it can write, and hold nobody. */
function whenSilent(pipes: readonly Socket[], act: () => void): void {
  const heard = (): number => pipes.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  let before = heard();
  const look = (): void => {
    const isOver = pipes.every(({ readableEnded }) => readableEnded);
    const isSilent = heard() === before;
    before = heard();
    if (!isOver && !isSilent) return;
    clearInterval(timer);
    if (isOver) return;
    for (const pipe of pipes) pipe.unref();
    act();
  };
  // Behind what has come meanwhile: on a busy machine it may not have been read yet.
  const timer = setInterval(() => setImmediate(look), SILENCE_MS);
}

function endGroup(pid: number | undefined, isWindows: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isWindows ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
