// What the status line tells of a conversation. Pure.

import type { Conversation } from "./conversation.ts";
import { findOption } from "./slash/option.ts";
import type { Status } from "./view/status-line.ts";

export function toStatus(
  { transcript: { usage }, configOptions, modeId }: Conversation,
  { agentName, branch }: { readonly agentName: string; readonly branch: string | undefined },
): Status {
  return {
    model: findOption(configOptions, "model")?.currentValue ?? agentName,
    mode: modeId,
    contextShare: usage === undefined || usage.size === 0 ? undefined : usage.used / usage.size,
    cost: usage?.cost ?? undefined,
    branch,
  };
}
