// An expected failure, as a value. Whoever meets one returns it; only the door turns it into an error for the wire.

/**
 * - `auth`: the provider wants credentials, or refuses those it got
 * - `rate-limit`, `overloaded`, `network`, `stalled`: the provider cannot now, and may later
 * - `overflow`: the conversation does not fit the model's window
 * - `bad-request`: the provider does not understand what we ask
 * - `model`: the model answered nonsense, or nothing
 * - `loop`: the same call over and over; the turn was stopped
 * - `journal`: the session cannot be written down
 * - `internal`: our own bug
 */
export type FaultKind =
  | "auth"
  | "rate-limit"
  | "overloaded"
  | "network"
  | "stalled"
  | "overflow"
  | "bad-request"
  | "model"
  | "loop"
  | "journal"
  | "internal";

export interface Fault {
  readonly kind: FaultKind;
  /** A sentence a person understands, that says what to do where something can be done. */
  readonly message: string;
  readonly retryable: boolean;
  /** When to try again, where the provider said so. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export function fault(kind: FaultKind, message: string, more: Partial<Omit<Fault, "kind" | "message">> = {}): Fault {
  const retryable = kind === "rate-limit" || kind === "overloaded" || kind === "network" || kind === "stalled";
  return { kind, message, retryable, ...more };
}
