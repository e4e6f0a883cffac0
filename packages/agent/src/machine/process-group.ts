// A child and everything it started, as one: signalled together, and gone together.

import { type ChildProcess, spawn } from "node:child_process";

const WINDOWS = process.platform === "win32";
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 10;

/** To every member, also when the leader has exited. False when nobody is left. Windows knows only the hard end. */
export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  const { pid } = leader;
  if (pid === undefined) return false;
  if (WINDOWS) return endTree(leader, signal);
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when the group is empty, or at the deadline: the dead count as members until somebody reaps them. */
export async function groupGone(leader: ChildProcess, deadline: number): Promise<boolean> {
  for (let pauseMs = FIRST_PAUSE_MS; signalGroup(leader, 0); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
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
