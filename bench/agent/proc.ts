// What Linux tells of a process.

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Its run time so far, all threads, as the scheduler counts it. */
export function cpuMsOf(pid: number): number {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).reduce((sum, thread) => sum + runTimeNs(`${threads}/${thread}`), 0) / 1e6;
}

export function rssKbOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** Every byte it has written, to files and pipes alike (proc(5), `wchar`). */
export function writtenBytesOf(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}

/** Those it has started, and those they have. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const child = Number(name);
    const stat = child > 0 ? statOf(child) : undefined;
    if (stat !== undefined && stat.state !== "Z") parents.set(child, stat.parent);
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found.slice(1);
}

export function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}`) ? statOf(pid) : undefined;
  return stat !== undefined && stat.state !== "Z";
}

function statOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name in parentheses may hold anything.
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function runTimeNs(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  } catch {
    // The thread has ended since the directory was read.
    return 0;
  }
}
