// What this process has used so far.

import { readFileSync } from "node:fs";

export interface Usage {
  /** User and system time of all threads. */
  readonly cpuUs: number;
  /** The most memory this program ever had resident. */
  readonly peakRssKb: number;
}

/** Peak memory is read from /proc: `getrusage` also counts the parent, whose memory a child shares until it execs. */
export function readUsage(): Usage {
  const { user, system } = process.cpuUsage();
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return { cpuUs: user + system, peakRssKb: Number(peak?.[1]) };
}
