// What another agent tells, so that it can stand in the transcript of a session that is not its own. Pure.

import type { SessionUpdate } from "@agentao/acp";
import { toMark } from "./address.ts";

/** Ids are made its own, calls carry its name. Nothing for what is about its session and not ours: mode, title, cost. */
export function markUpdate(update: SessionUpdate, name: string): SessionUpdate | undefined {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return update.messageId == null ? update : { ...update, messageId: toOwnId(update.messageId, name) };
    case "tool_call":
      return { ...update, toolCallId: toOwnId(update.toolCallId, name), title: `${toMark(name)} ${update.title}` };
    case "tool_call_update":
      return {
        ...update,
        toolCallId: toOwnId(update.toolCallId, name),
        ...(update.title != null && { title: `${toMark(name)} ${update.title}` }),
      };
    case "compaction_update":
    case "compaction_summary_chunk":
      return { ...update, compactionId: toOwnId(update.compactionId, name) };
    case "notice":
      return { ...update, title: `${toMark(name)} ${update.title}` };
    case "plan":
      return update;
    default:
      return undefined;
  }
}

/** No id of another agent is the same. */
export function toOwnId(id: string, name: string): string {
  return `${toMark(name)}/${id}`;
}
