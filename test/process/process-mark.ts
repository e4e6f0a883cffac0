// Processes as Linux lists them: which there are, whose they are, and whether they are still there.

import { readdirSync, readFileSync } from "node:fs";
import { pause } from "./until.ts";

/** The start tells a process from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
  readonly command: string;
}

export function isRunning(mark: ProcessMark): boolean {
  return lookAt(mark.pid)?.startedAt === mark.startedAt;
}

/** Resolves with those that are still there at the deadline: none, where all is well. */
export async function leftOf(marks: readonly ProcessMark[], withinMs: number): Promise<readonly ProcessMark[]> {
  const deadline = performance.now() + withinMs;
  while (marks.some(isRunning) && performance.now() < deadline) await pause(10);
  return marks.filter(isRunning);
}

export function descendantsOf(pid: number): ProcessMark[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => lookAt(Number(name)))
    .filter((mark) => mark !== undefined);
  const found: ProcessMark[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const next = all.filter(({ parent }) => parents.includes(parent));
    found.push(...next);
    parents = next.map((mark) => mark.pid);
  }
  return found;
}

/** Nothing for one that is gone, or only waits to be reaped. */
function lookAt(pid: number): ProcessMark | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid, parent: Number(parent), startedAt: fields[17] ?? "", command };
  } catch {
    return undefined;
  }
}

/** What somebody wrote down. Throws for what is none: 0 would be our own group, and all tests with it. */
export function pidIn(text: string): number {
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 1) throw new Error(`"${text}" is no id of a process`);
  return pid;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

/** The dead count as gone, also where nobody reaps them. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== "linux" || lookAt(pid) !== undefined;
}
