// `!command`: runs in the person's shell, as the person. The agent hears nothing of it.

import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

export interface ShellResult {
  readonly output: string;
  /** In words, where it is worth a word: how it ended, what was left out. */
  readonly ending: string | undefined;
}

/** The end of the output is kept, so much of it. */
const MAX_CHARS = 100_000;

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
    const hear = (decoder: StringDecoder) => (bytes: Buffer) => {
      output += decoder.write(bytes);
      if (output.length > MAX_CHARS) {
        dropped += output.length - MAX_CHARS;
        output = output.slice(-MAX_CHARS);
      }
      onOutput(output);
    };
    child.stdout.on("data", hear(new StringDecoder("utf8")));
    child.stderr.on("data", hear(new StringDecoder("utf8")));
    const stop = (): void => endGroup(child.pid, isWindows);
    signal.addEventListener("abort", stop, { once: true });
    const finish = (ending: string | undefined): void => {
      signal.removeEventListener("abort", stop);
      const cut = dropped === 0 ? undefined : `the first ${dropped} characters were left out`;
      const words = [ending, cut].filter((word) => word !== undefined);
      resolve({ output, ending: words.length === 0 ? undefined : words.join("; ") });
    };
    child.once("error", (cause) => finish(cause.message));
    child.once("close", (code, killer) => {
      if (killer !== null) finish(signal.aborted ? "stopped" : `ended by ${killer}`);
      else finish(code === 0 ? undefined : `exit code ${code}`);
    });
    if (signal.aborted) stop();
  });
}

function endGroup(pid: number | undefined, isWindows: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isWindows ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
