// What of a transcript is the answer.

import { agentText, emptyTranscript, type MessageItem, type Transcript } from "@agentao/acp";

/** The last thing the agent said, without what it said on the way. */
export function finalText({ items }: Transcript): string {
  const last = items.filter(isAnswer).findLast((item) => textOf(item).trim() !== "");
  return last === undefined ? "" : textOf(last);
}

/** Our own agent also tells a failure in its transcript; it is no answer. */
export function isErrorMessage(messageId: string | null | undefined): boolean {
  return messageId?.endsWith("_error") ?? false;
}

function isAnswer(item: Transcript["items"][number]): item is MessageItem {
  return item.type === "message" && item.from === "agent" && !isErrorMessage(item.messageId);
}

function textOf(item: MessageItem): string {
  return agentText({ ...emptyTranscript, items: [item] });
}
