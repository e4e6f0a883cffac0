// Why a session cannot be opened, made or deleted, as a value.

import { type Fault, fault } from "../fault/fault.ts";
import type { SessionId } from "../id/id.ts";
import { fileFault } from "./file-fault.ts";

/** No such session, or no such turn in it. */
export interface Missing {
  readonly type: "missing";
  readonly fault: Fault;
}

/**
 * - `exists`: a session with this id is there already · `in-use`: a live process has it open
 * - `newer`: a later version wrote it · `damaged`: its first line cannot be read
 * - `unwritable`: the file system refuses
 */
export interface Failed {
  readonly type: "failed";
  readonly because: "exists" | "in-use" | "newer" | "damaged" | "unwritable";
  readonly fault: Fault;
}

export function missing(id: SessionId): Missing {
  return { type: "missing", fault: fault("journal", `There is no session ${id}.`) };
}

export function failed(because: Failed["because"], told: string | Fault): Failed {
  return { type: "failed", because, fault: typeof told === "string" ? fault("journal", told) : told };
}

export function exists(id: SessionId): Failed {
  return failed("exists", `Session ${id} exists already.`);
}

export function inUse(id: SessionId, pid: number): Failed {
  const where = pid === process.pid ? "is already open in this agentao" : "is in use by another agentao";
  return failed("in-use", `Session ${id} ${where} (process ${pid}). Close it there first.`);
}

export function unwritable(cause: unknown, path: string): Failed {
  return failed("unwritable", fileFault(cause, path));
}
