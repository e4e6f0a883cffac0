// Child processes in groups of their own, so that ending one also ends what it started. Every group still alive is
// killed when this process exits. Knows nothing of agents or terminals, and reads no environment but the one given.

import type { ChildProcess, StdioOptions } from "node:child_process";
import { childProcess } from "./builtin.ts";
import { readdir, readFile } from "./file-system.ts";
import { windowsProgram } from "./windows-program.ts";

export type SpawnGroupOptions = {
  readonly cwd?: string | undefined;
  /** The whole environment of the child; entries that are undefined are left out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdio: StdioOptions;
  /** Windows only: hand over the arguments unquoted, as `cmd.exe /s /c` wants them. */
  readonly windowsVerbatimArguments?: boolean | undefined;
};

export type EndGroupOptions = {
  /** How long the group may take to end by itself after SIGTERM, before SIGKILL. */
  readonly graceMs?: number | undefined;
};

const DEFAULT_GRACE_MS = 2_000;
/** SIGKILL takes effect at once, except on a process stuck in the kernel: nobody can wait for that one. */
const KILLED_WITHIN_MS = 2_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 80;
const PROMPT_MS = 20;
const WINDOWS = process.platform === "win32";

type Group = {
  readonly child: ChildProcess;
  /** The id of the leader and, on POSIX, of the group. */
  readonly pid: number;
  readonly taskkill: string;
  askedToEnd: boolean;
};

/** Groups that may still have a member. One that was seen empty is never signalled again: its id may be reused. */
const live = new Map<ChildProcess, Group>();

/**
 * Starts `command` without a shell, as the leader of a new group. As with `spawn`, a failed start leaves `pid` undefined
 * and emits "error", for which the caller must listen.
 *
 * Who starts a group ends it with `endGroup`. As a last resort, groups still alive are killed when this process exits by
 * itself or by `process.exit()`; a signal that ends this process outright leaves no time for that, so a host that wants
 * its children gone then handles the signal and exits. A child that makes a group of its own has left this one.
 *
 * Windows has no groups: there, ending covers the leader and its descendants for as long as the leader runs.
 */
export function spawnGroup(command: string, args: readonly string[], options: SpawnGroupOptions): ChildProcess {
  forgetEmptyGroups();
  const child = childProcess().spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: options.stdio,
    // On Windows `detached` would open a console window and let the child outlive us.
    detached: !WINDOWS,
    windowsHide: true,
    windowsVerbatimArguments: options.windowsVerbatimArguments ?? false,
  });
  const { pid } = child;
  const taskkill = windowsProgram("taskkill.exe", options.env);
  if (pid !== undefined) remember({ child, pid, taskkill, askedToEnd: false });
  return child;
}

/**
 * Sends a signal to every process of the group, also when its leader has already exited. False when there is nobody left
 * to receive it. On Windows every signal ends the whole tree at once, for nothing gentler reaches a console program.
 */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  const group = live.get(child);
  return group !== undefined && send(group, signal);
}

/**
 * Ends a group: SIGTERM now (before this call returns its promise), SIGKILL to whoever is left after the grace. Resolves
 * once the leader has exited and the group is empty, at the latest two seconds after SIGKILL. Never rejects, and may be
 * called again: the shortest grace wins, SIGTERM is sent once.
 */
export async function endGroup(child: ChildProcess, options: EndGroupOptions = {}): Promise<void> {
  const group = live.get(child);
  if (group === undefined) return;
  if (!group.askedToEnd) {
    group.askedToEnd = true;
    send(group, "SIGTERM");
  }
  if (await isGoneWithin(group, options.graceMs ?? DEFAULT_GRACE_MS)) return;
  send(group, "SIGKILL");
  await isGoneWithin(group, KILLED_WITHIN_MS);
}

function remember(group: Group): void {
  if (live.size === 0) process.on("exit", killLiveGroups);
  live.set(group.child, group);
  // The leader has just been reaped: unless somebody else is in the group, its id is free from now on.
  group.child.once("exit", () => forgetIfEmpty(group));
}

function forget(group: Group): void {
  if (live.delete(group.child) && live.size === 0) process.off("exit", killLiveGroups);
}

function forgetIfEmpty(group: Group): void {
  if (hasExited(group.child) && !hasMembers(group)) forget(group);
}

function forgetEmptyGroups(): void {
  for (const group of live.values()) forgetIfEmpty(group);
}

function killLiveGroups(): void {
  for (const group of live.values()) {
    if (WINDOWS) childProcess().spawnSync(group.taskkill, taskkillArgs(group), { stdio: "ignore", windowsHide: true });
    else send(group, "SIGKILL");
  }
}

function send(group: Group, signal: NodeJS.Signals): boolean {
  return WINDOWS ? endTree(group) : kill(group, signal) === "sent";
}

/** "refused": there are processes, but none that we may signal. On macOS that is also the answer for mere zombies. */
function kill(group: Group, signal: NodeJS.Signals | 0): "sent" | "empty" | "refused" {
  try {
    process.kill(-group.pid, signal);
    return "sent";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "empty" : "refused";
  }
}

function endTree(group: Group): boolean {
  if (hasExited(group.child)) return false;
  const taskkill = childProcess().spawn(group.taskkill, taskkillArgs(group), { stdio: "ignore", windowsHide: true });
  taskkill.once("error", () => group.child.kill());
  return true;
}

function taskkillArgs(group: Group): string[] {
  return ["/PID", String(group.pid), "/T", "/F"];
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function hasMembers(group: Group): boolean {
  return !WINDOWS && kill(group, 0) === "sent";
}

async function isGoneWithin(group: Group, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    if (await isGone(group, { countZombies: pauseMs < PROMPT_MS })) {
      forget(group);
      return true;
    }
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await exitOrPause(group.child, Math.min(pauseMs, leftMs));
  }
}

async function isGone(group: Group, { countZombies }: { countZombies: boolean }): Promise<boolean> {
  if (!live.has(group.child)) return true;
  if (!hasExited(group.child)) return false;
  if (!hasMembers(group)) return true;
  return !countZombies && process.platform === "linux" && !(await hasRunningMember(group.pid));
}

/**
 * Where process 1 is slow to reap orphans, or never does (a container without an init), the dead keep a group alive.
 * Looking at every process is dear, so this is asked only when the group did not go away promptly.
 */
async function hasRunningMember(groupId: number): Promise<boolean> {
  const names = await readdir("/proc").catch(() => undefined);
  if (names === undefined) return true;
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
    // "pid (name) state parent group …", where the name may hold blanks and brackets.
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(group) === groupId && state !== "Z" && state !== "X") return true;
  }
  return false;
}

function exitOrPause(child: ChildProcess, pauseMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      child.off("exit", done);
      resolve();
    };
    const timer = setTimeout(done, pauseMs);
    if (!hasExited(child)) child.once("exit", done);
  });
}
