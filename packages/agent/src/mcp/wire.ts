// What carries messages to a server and back, in the shape the protocol library expects of a transport.

export interface WireMessage {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null | undefined;
  readonly method?: string | undefined;
  readonly [field: string]: unknown;
}

/** The callbacks are set by whoever uses it, before it is started. */
export interface Wire {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: unknown, options?: never): Promise<void>;
  /** Resolves when nothing is left of it. Safe to call twice. */
  close(): Promise<void>;
}

/** It was not sent, and surely did nothing. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

export function isWireMessage(value: unknown): value is WireMessage {
  return typeof value === "object" && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === "2.0";
}
