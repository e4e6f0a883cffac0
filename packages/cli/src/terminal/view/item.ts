// One item of a transcript, as lines that fit. Pure: the same item in the same room gives the same lines.

import type { TranscriptItem } from "@agentao/acp";
import { messageView } from "./message.ts";
import { compactionView, noticeView } from "./notice.ts";
import type { Span, ViewRoom } from "./room.ts";
import { toolCallView } from "./tool-call.ts";

export function itemView(item: TranscriptItem, span: Span, room: ViewRoom): string[] {
  switch (item.type) {
    case "message":
      return messageView(item, span, room);
    case "tool-call":
      return toolCallView(item, span, room);
    case "notice":
      return noticeView(item.severity, [item.title, item.description ?? ""].join("\n"), room);
    case "compaction":
      return compactionView(item, room);
    case "unknown":
      return [];
  }
}

/** Whether there is a blank line between two neighbours: calls stand together, everything else apart. */
export function isApart(before: TranscriptItem["type"] | "note", after: TranscriptItem["type"] | "note"): boolean {
  return !(before === "tool-call" && after === "tool-call") && !(before === "notice" && after === "notice");
}
