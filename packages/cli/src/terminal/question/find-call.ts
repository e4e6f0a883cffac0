// A tool call of a transcript, by its id. Pure.

import type { ToolCallItem, Transcript } from "@agentao/acp";

export function findCall({ items }: Pick<Transcript, "items">, toolCallId: string): ToolCallItem | undefined {
  const isMeant = (item: Transcript["items"][number]): item is ToolCallItem =>
    item.type === "tool-call" && item.toolCallId === toolCallId;
  return items.findLast(isMeant);
}
