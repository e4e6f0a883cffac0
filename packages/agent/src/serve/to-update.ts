// Events of a session to updates of the wire. Live turns and replays pass here alike, so both tell the same story.

import type { ContentBlock, SessionUpdate, ToolCallContent } from "@agentao/acp";
import type { CallContent, SessionEvent, TurnOutcome } from "../event/event.ts";
import type { ImagePart, TextPart, UserMessage } from "../message/message.ts";
import { DENIAL } from "./extension.ts";
import { toContentBlock } from "./to-message.ts";
import { bounded } from "./to-rpc-error.ts";

/** None, one or several. What needs more than the event (modes, options) is announced by the session's door itself. */
export function toUpdates(event: SessionEvent): SessionUpdate[] {
  switch (event.type) {
    case "prompt":
      return promptUpdates(event.message);
    case "text":
    case "text-delta":
      return [{ sessionUpdate: "agent_message_chunk", messageId: event.messageId, content: textBlock(event.text) }];
    case "reasoning":
    case "reasoning-delta":
      if (event.text === "") return [];
      return [
        {
          sessionUpdate: "agent_thought_chunk",
          messageId: `${event.messageId}_thought`,
          content: textBlock(event.text),
        },
      ];
    case "call": {
      const { callId, name, title, kind, locations, input, content } = event.call;
      return [
        {
          sessionUpdate: "tool_call",
          toolCallId: callId,
          title,
          name,
          kind,
          status: "pending",
          rawInput: input,
          ...(locations.length > 0 && { locations }),
          ...(content.length > 0 && { content: content.map(toToolCallContent) }),
        },
      ];
    }
    case "call-running":
      return [{ sessionUpdate: "tool_call_update", toolCallId: event.callId, status: "in_progress" }];
    case "call-output":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.callId,
          status: "in_progress",
          content: event.content.map(toToolCallContent),
        },
      ];
    case "call-ended":
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId: event.callId,
          status: event.failed ? "failed" : "completed",
          content: (event.content ?? event.told).map(toToolCallContent),
          rawOutput: bounded(textOf(event.told), MAX_RAW_CHARS),
          ...(event.locations && { locations: event.locations }),
          ...(event.denial && { _meta: { [DENIAL]: event.denial } }),
        },
      ];
    case "plan":
      return [{ sessionUpdate: "plan", entries: event.entries }];
    case "mode":
      return [{ sessionUpdate: "current_mode_update", currentModeId: event.modeId }];
    case "title":
      return [{ sessionUpdate: "session_info_update", title: event.title }];
    case "usage": {
      const { usedTokens, windowTokens, cost } = event.usage;
      return [
        {
          sessionUpdate: "usage_update",
          used: usedTokens,
          size: windowTokens,
          ...(cost !== undefined && { cost: { amount: cost, currency: "USD" } }),
        },
      ];
    }
    case "compacting":
      return [{ sessionUpdate: "compaction_update", compactionId: event.compactionId, status: "in_progress" }];
    case "summary":
      return [
        {
          sessionUpdate: "compaction_update",
          compactionId: event.compactionId,
          status: "completed",
          summary: [textBlock(event.text)],
        },
      ];
    case "compaction-failed":
      return [
        {
          sessionUpdate: "compaction_update",
          compactionId: event.compactionId,
          status: "failed",
          error: bounded(event.message),
        },
      ];
    case "notice":
      return [{ sessionUpdate: "notice", severity: event.severity, title: event.message }];
    case "turn-ended":
      return outcomeUpdates(event.turnId, event.outcome);
    case "model":
    case "thought-level":
    case "aside":
    case "trimmed":
      return [];
    default:
      // An entry that a later version wrote.
      event satisfies never;
      return [];
  }
}

/** Clients show the content; what is raw is for those who look closer, and need not be whole. */
const MAX_RAW_CHARS = 4_000;

function textOf(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
}

function promptUpdates({ id, parts }: UserMessage): SessionUpdate[] {
  return parts.map((part) => ({ sessionUpdate: "user_message_chunk", messageId: id, content: toContentBlock(part) }));
}

/** A failed turn is an error of its request; the transcript shows it too, so that it is there after a replay. */
function outcomeUpdates(turnId: string, outcome: TurnOutcome): SessionUpdate[] {
  if (outcome.type !== "failed") return [];
  const content = textBlock(`Error: ${outcome.fault.message}`);
  return [{ sessionUpdate: "agent_message_chunk", messageId: `${turnId}_error`, content }];
}

function toToolCallContent(content: CallContent | TextPart | ImagePart): ToolCallContent {
  switch (content.type) {
    case "text":
    case "image":
      return { type: "content", content };
    case "diff":
    case "terminal":
      return content;
  }
}

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}
