// How a turn ended, in the protocol's words; what is no end of a turn is an error.

import { RpcError } from "@agentao/acp";
import type { PromptOutcome } from "../session/session.ts";
import { toRpcError } from "./to-rpc-error.ts";

export function toStopReason(outcome: PromptOutcome, sessionId: string) {
  switch (outcome.type) {
    case "ended":
      return "end_turn" as const;
    case "cancelled":
      return "cancelled" as const;
    case "refused":
      return "refusal" as const;
    case "cut-short":
      return "max_tokens" as const;
    case "exhausted":
      return "max_turn_requests" as const;
    case "failed":
      throw toRpcError(outcome.fault);
    case "busy":
      throw RpcError.invalidRequest(`session ${sessionId} already has an active turn`);
    case "closed":
      throw RpcError.invalidRequest(`session ${sessionId} is closed`);
  }
}
