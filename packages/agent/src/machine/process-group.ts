// A child and everything it started, as one: signalled together, and gone together.

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** `inside` leads the processes of a sandbox, once it is known; they are all gone when it is, and never before. */
export interface ProcessGroup {
  readonly leader: ChildProcess;
  inside?: number | undefined;
}

const WINDOWS = process.platform === "win32";
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 10;

/** To every member, also when the leader has exited. False when nobody is left. Windows knows only the hard end. */
export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  const { pid } = leader;
  if (pid === undefined) return false;
  return WINDOWS ? endTree(leader, signal) : send(-pid, signal);
}

/** Asks those who do the work to end; a sandbox that is asked would end them by force. */
export function askToEnd({ leader, inside }: ProcessGroup): void {
  if (inside === undefined) signalGroup(leader, "SIGTERM");
  else send(-inside, "SIGTERM");
}

/** A sandbox whose leader is killed kills what is inside. */
export function killGroup({ leader, inside }: ProcessGroup): void {
  signalGroup(leader, "SIGKILL");
  if (inside !== undefined) send(-inside, "SIGKILL");
}

function isThere({ leader, inside }: ProcessGroup): boolean {
  return signalGroup(leader, 0) || (inside !== undefined && isRunning(inside));
}

/** Nobody here reaps what is inside of a sandbox, so the dead do not count. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the group is empty, or at the deadline: the dead count as members until somebody reaps them. */
export async function groupGone(group: ProcessGroup, deadline: number): Promise<boolean> {
  for (let pauseMs = FIRST_PAUSE_MS; isThere(group); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, leftMs)));
  }
  return true;
}

/** Covers the leader and its descendants for as long as the leader runs. */
function endTree(leader: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (leader.exitCode !== null || leader.signalCode !== null) return false;
  if (signal === 0) return true;
  const taskkill = spawn("taskkill.exe", ["/PID", String(leader.pid), "/T", "/F"], {
    stdio: "ignore",
    windowsHide: true,
  });
  taskkill.once("error", () => leader.kill());
  return true;
}
