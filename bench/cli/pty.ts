// A program in a pseudo terminal, which `script` of util-linux holds for us: what it writes comes as it is written.

import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { descendantsOf, isAlive } from "../agent/proc.ts";

/** Nothing takes a tenth of this, even on a busy machine. */
const DEADLINE_MS = 60_000;

/** For what does not leave when it is asked to. */
const LEAVE_MS = 3_000;

export interface Terminal {
  readonly startedAt: number;
  /** Bytes it has written so far. */
  readonly writtenBytes: number;
  /** The program itself; there once something has been written. */
  readonly pid: number;
  type(keys: string): void;
  /** The moment when this text came, after what was waited for before. Throws when the program ends without it. */
  until(mark: string): Promise<number>;
  end(): Promise<void>;
}

const open = new Set<{ kill(): void }>();

export function hasScript(): boolean {
  return spawnSync("script", ["--version"]).stdout?.includes("util-linux") ?? false;
}

export function killTerminals(): void {
  for (const terminal of open) terminal.kill();
}

export function openTerminal(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Terminal {
  const line = `stty cols 100 rows 30; exec ${command.map((word) => `'${word}'`).join(" ")}`;
  const startedAt = performance.now();
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn("script", ["-qfec", line, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let unread = "";
  let writtenBytes = 0;
  let wake = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    unread += text;
    writtenBytes += text.length;
    wake();
  });
  child.once("exit", () => wake());
  child.stdin.on("error", () => {});
  const kill = (): void => {
    for (const pid of [...descendantsOf(child.pid ?? 0), child.pid ?? 0])
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
  };
  const owned = { kill };
  open.add(owned);

  return {
    startedAt,
    get writtenBytes() {
      return writtenBytes;
    },
    get pid() {
      return descendantsOf(child.pid ?? 0).at(-1) ?? Number.NaN;
    },
    type: (keys) => void child.stdin.write(keys),
    async until(mark) {
      const late = setTimeout(kill, DEADLINE_MS);
      try {
        while (!unread.includes(mark)) {
          if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended without "${mark}"`);
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        clearTimeout(late);
      }
      unread = unread.slice(unread.indexOf(mark) + mark.length);
      return performance.now();
    },
    async end() {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      const late = setTimeout(kill, LEAVE_MS);
      // As a person leaves, so that it keeps for the next start what it keeps.
      child.stdin.write("\x04");
      if (!isOver) await once(child, "exit");
      clearTimeout(late);
      open.delete(owned);
    },
  };
}
