// Errors that stay on this side of the wire: the connection closed, nobody answered in time, the peer's answer made no
// sense. They never become a response.

import { isBranded } from "./brand.ts";

/**
 * What went wrong on this side.
 * - `closed`: the connection ended before the answer came
 * - `timeout`: no answer within `timeoutMs`
 * - `aborted`: the caller's signal fired
 * - `overflow`: the peer does not read, and the send queue reached its cap
 * - `unserialisable`: the value cannot be written as JSON (a cycle, a BigInt, too deep)
 * - `invalid-response`: the peer answered, but not with what the method promises
 * - `unsupported`: the peer did not advertise the capability this method needs
 * - `spawn`: the agent process could not be started
 */
export type LocalErrorType =
  | "closed"
  | "timeout"
  | "aborted"
  | "overflow"
  | "unserialisable"
  | "invalid-response"
  | "unsupported"
  | "spawn";

const LOCAL_ERROR = Symbol.for("@agentao/acp/LocalError");

/** An error that never travels. `type` says which, so that callers switch instead of matching text. */
export class LocalError extends Error {
  override readonly name = "LocalError";

  // Also one that another copy of this library made: the entry points may be bundled apart.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, LOCAL_ERROR);
  }

  readonly [LOCAL_ERROR] = true;
  readonly type: LocalErrorType;

  constructor(type: LocalErrorType, message: string, options?: ErrorOptions) {
    super(message, options);
    this.type = type;
  }
}
