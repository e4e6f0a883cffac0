// What an embedder did that cannot be done, as an error with a type. What goes wrong inside a turn is no error but its
// outcome.

import type { Fault } from "../fault/fault.ts";

/**
 * - `missing`: there is no such session
 * - `active`: it is open in this runtime already
 * - `bad-place`: its folder cannot be worked in
 * - `failed`: it cannot be opened or written down, or there is no model; `fault` says more
 * - `busy`: a turn is running
 * - `closed`: the session, or the runtime, was closed
 */
export type SessionErrorType = "missing" | "active" | "bad-place" | "failed" | "busy" | "closed";

export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly type: SessionErrorType;
  /** Only of `failed`. */
  readonly fault: Fault | undefined;

  constructor(type: SessionErrorType, message: string, fault?: Fault) {
    super(message, fault && { cause: fault.cause });
    this.type = type;
    this.fault = fault;
  }
}
