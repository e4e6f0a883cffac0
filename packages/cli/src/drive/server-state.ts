// What an agent that is being driven is doing, as told to other processes: one small file for each, next to its log.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderSync } from "@agentao/agent/program";
import { isAlive } from "../io/is-alive.ts";
import type { DriveFaultCode } from "./drive-fault.ts";

export type ServerState =
  | "configured"
  | "starting"
  | "initializing"
  | "ready"
  | "busy"
  | "stopping"
  | "stopped"
  | "failed";

export interface LastError {
  readonly code: DriveFaultCode;
  readonly message: string;
  readonly at: string;
}

export interface ServerStatus {
  readonly name: string;
  readonly state: ServerState;
  /** Of the process that supervises, and of the agent. */
  readonly pid: number;
  readonly agentPid?: number | undefined;
  /** Tells a process from a later one with the same number; nothing where the system does not say. */
  readonly startedAt?: string | undefined;
  readonly since: string;
  readonly socket?: string | undefined;
  readonly restarts: number;
  /** Stays after things went well again: read the state first. */
  readonly lastError?: LastError | undefined;
}

export function runFolder(cwd: string): string {
  return join(cwd, ".agentao", "acp");
}

/** Only for this person: what agents say in it, and the way to them, are nobody else's business, nor a repository's. */
export function makeRunFolder(cwd: string): void {
  const folder = runFolder(cwd);
  if (existsSync(folder)) return;
  makeFolderSync(folder, 0o700);
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

export function writeStatus(cwd: string, status: ServerStatus): void {
  makeRunFolder(cwd);
  const path = join(runFolder(cwd), `${status.name}.json`);
  const draft = `${path}.${process.pid}`;
  // What is there came with the project, or is left of a process that is gone; it may be a link.
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(status, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}

export type Supervised =
  | { readonly type: "running"; readonly status: ServerStatus }
  | { readonly type: "over"; readonly status: ServerStatus }
  /** Its supervisor died without saying so. */
  | { readonly type: "stale"; readonly status: ServerStatus }
  | { readonly type: "never" };

export function stateOf(supervised: Supervised): ServerState {
  switch (supervised.type) {
    case "never":
      return "configured";
    case "stale":
      return "stopped";
    case "running":
    case "over":
      return supervised.status.state;
  }
}

/** Clears nothing away: a stale file still says what happened last. */
export function readStatus(cwd: string, name: string): Supervised {
  let status: ServerStatus;
  try {
    status = JSON.parse(readFileSync(join(runFolder(cwd), `${name}.json`), "utf8")) as ServerStatus;
    // Whoever sends a signal to 0 or less sends it to many.
    if (!Number.isInteger(status.pid) || status.pid <= 0 || typeof status.state !== "string") return { type: "never" };
  } catch {
    return { type: "never" };
  }
  if (status.state === "stopped" || status.state === "failed") return { type: "over", status };
  return { type: isSame(status) ? "running" : "stale", status };
}

/** A number alone does not say whose process it is now: files outlive processes, and come with projects. */
function isSame({ pid, startedAt }: ServerStatus): boolean {
  return isAlive(pid) && startTimeOf(pid) === startedAt;
}

/** In the kernel's own clock; nothing where there is no /proc. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
