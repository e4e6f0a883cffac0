// The summary of a conversation's beginning, as a message.

import type { MessageId } from "../id/id.ts";
import { type Message, text, type UserMessage } from "../message/message.ts";

const SUMMARY = "summary:";

/** Whether it stands for what was said before. */
export function isSummary(message: Message): message is UserMessage {
  return message.role === "user" && message.id.startsWith(SUMMARY);
}

/** As the model is given it. */
export function toSummary(compactionId: string, summary: string): UserMessage {
  const told = `${SUMMARY_BEGINS}\n<summary>\n${summary}\n</summary>`;
  return { role: "user", id: `${SUMMARY}${compactionId}` as MessageId, parts: [text(told)] };
}

const SUMMARY_BEGINS =
  "The beginning of this session no longer fits. This is your own summary of it; what follows is as it was said. Go on from there, and read files again before you rely on their contents.";
