// The one place where an expected failure becomes an error of the wire. The message is a sentence for a person, since
// many clients show nothing else.

import { errorCodes, RpcError } from "@agentao/acp";
import type { Fault, FaultKind } from "../fault/fault.ts";

export function toRpcError({ kind, message, retryable, retryAfterMs, cause }: Fault): RpcError {
  const data = { kind, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new RpcError(codeOf(kind), bounded(message), data, { cause });
}

/** What a provider says may be a whole page. */
const MAX_MESSAGE_CHARS = 2_000;

/** A text that came from elsewhere, short enough to be repeated in an error. */
export function bounded(text: string, most: number = MAX_MESSAGE_CHARS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function codeOf(kind: FaultKind): number {
  switch (kind) {
    case "auth":
      return errorCodes.authRequired;
    case "bad-request":
    case "rate-limit":
    case "overloaded":
    case "network":
    case "stalled":
    case "overflow":
    case "model":
    case "loop":
    case "journal":
    case "internal":
      return errorCodes.internalError;
  }
}
