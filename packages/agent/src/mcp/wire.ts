// What carries messages to a server and back: the protocol library's transport, of which only the types are known here.

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

export type WireMessage = JSONRPCMessage;

/** Its callbacks are set by whoever uses it, before it is started. */
export interface Wire extends Transport {
  /** Resolves when nothing is left of it. Safe to call twice. */
  close(): Promise<void>;
}

/** It was not sent, and surely did nothing. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** By its mark: the library looks at the rest. */
export function isWireMessage(value: unknown): value is WireMessage {
  return typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
}
