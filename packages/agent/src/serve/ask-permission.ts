// A question of the gate, asked to the person through the client.

import type { PermissionOption, PermissionOptionKind } from "@agentao/acp";
import type { PermissionRequest } from "../permission/request.ts";
import type { Client } from "./client.ts";
import { fitFields } from "./frame-budget.ts";
import { toUpdates } from "./to-update.ts";

export interface PermissionChoice {
  readonly id: string;
  readonly kind: PermissionOptionKind;
  readonly name: string;
}

/** Ids that other texts about us use for the same answers. */
const ALIASES: Readonly<Record<string, string>> = { allow: "allow_once", reject: "reject_once" };

/** The id of what was chosen; nothing for every other way the question can end, and nothing means no. */
export async function askPermission(
  client: Client,
  sessionId: string,
  request: PermissionRequest,
  choices: readonly PermissionChoice[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const options: PermissionOption[] = choices.map(({ id, kind, name }) => ({ optionId: id, name, kind }));
  try {
    const params = fitFields({ sessionId, toolCall: toToolCall(request), options });
    const { outcome } = await client.request("requestPermission", params, { signal });
    if (outcome.outcome !== "selected") return undefined;
    const { optionId } = outcome;
    return choices.find(({ id }) => id === optionId || id === ALIASES[optionId])?.id;
  } catch {
    return undefined;
  }
}

/** The same fields as the call's announcement, so that a client can show either. */
function toToolCall(request: PermissionRequest) {
  const { callId, tool, title, kind, locations, input, content } = request;
  const call = { callId, name: tool, title, kind, locations, input, content };
  const [announced] = toUpdates({ type: "call", messageId: "" as never, call, rawInput: "" });
  const { sessionUpdate: _, ...toolCall } = announced as { sessionUpdate: string; toolCallId: string };
  return toolCall;
}
