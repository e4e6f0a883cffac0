// Things that were told in passing, as lines: notices, compaction, and what this program itself has to say.

import type { CompactionItem } from "@agentao/acp";
import { cleanText } from "../../text/plain.ts";
import { contentText } from "./content.ts";
import { fitAll, indent, wrap } from "./lines.ts";
import type { ViewRoom } from "./room.ts";

export type Severity = "info" | "warning" | "error";

export function noticeView(severity: string, text: string, { width, paint }: ViewRoom): string[] {
  const [sign, style] =
    severity === "error"
      ? (["✗", paint.bad] as const)
      : severity === "warning"
        ? (["!", paint.warn] as const)
        : (["·", paint.quiet] as const);
  const lines = wrap(cleanText(text).trim(), Math.max(1, width - 2)).map(style);
  return fitAll(indent(lines, "  ", style(`${sign} `)), width);
}

export function compactionView(item: CompactionItem, room: ViewRoom): string[] {
  if (item.status === "in_progress") return noticeView("info", "Summing up the conversation so far…", room);
  if (item.status === "failed") {
    return noticeView("warning", `The conversation could not be summed up: ${item.error ?? "no reason given"}`, room);
  }
  const head = noticeView("info", "The conversation so far was summed up; the model goes on from the summary.", room);
  if (!room.opens.thoughts) return head;
  const inner = Math.max(1, room.width - 2);
  return [...head, ...fitAll(indent(room.markdown(contentText(item.summary, room.cwd), inner), "  "), room.width)];
}
