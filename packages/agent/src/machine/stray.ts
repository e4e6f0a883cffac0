// Processes that left the group of the command that started them. Each command carries a mark in its environment, which
// all that it starts inherit; by it they are found on Linux, and only there. Who takes the mark off is not found.

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

export interface Marks {
  /** What a next command has in its environment. */
  next(): Mark;
  /** Kills everything that has one of them. */
  endAll(): void;
}

export interface Mark {
  readonly env: Readonly<Record<string, string>>;
  /** Kills everything that has it. */
  end(): void;
}

const NAME = "AGENTAO_RUN";
const MAX_PROCESSES = 20_000;
/** One that is just starting another may be a step ahead. */
const ROUNDS = 3;

/** Nobody else has them: they are random. */
export function createMarks(): Marks {
  const own = randomBytes(16).toString("hex");
  let last = 0;
  return {
    next() {
      const value = `${own}-${++last}.`;
      return { env: process.platform === "linux" ? { [NAME]: value } : {}, end: () => endStrays(value) };
    },
    endAll() {
      if (last > 0) endStrays(`${own}-`);
    },
  };
}

function endStrays(mark: string): void {
  if (process.platform !== "linux") return;
  for (let round = 0; round < ROUNDS; round++) {
    const strays = findStrays(`\0${NAME}=${mark}`);
    if (strays.length === 0) return;
    for (const pid of strays) kill(pid);
  }
}

/** The environment of others' processes cannot be read, and that of the dead is empty. */
function findStrays(mark: string): readonly number[] {
  const pids = names().filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.slice(-MAX_PROCESSES).flatMap((pid) => {
    try {
      return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(mark) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

function names(): readonly string[] {
  try {
    return readdirSync("/proc");
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
