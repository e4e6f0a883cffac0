// What was said and thought, as lines.

import type { MessageItem } from "@agentao/acp";
import { cleanText } from "../../text/plain.ts";
import { toSpan } from "../../text/when.ts";
import { contentText } from "./content.ts";
import { fit, fitAll, indent, wrap } from "./lines.ts";
import { noticeView } from "./notice.ts";
import { SHORT_MS, type Span, type ViewRoom } from "./room.ts";

export function messageView(item: MessageItem, span: Span, room: ViewRoom): string[] {
  switch (item.from) {
    case "user":
      return userView(contentText(item.content, room.cwd), room);
    case "agent":
      if (isFailure(item)) return noticeView("error", failureWords(item, room.cwd), room);
      return room.markdown(contentText(item.content, room.cwd), room.width);
    case "thought":
      return thoughtView(contentText(item.content, room.cwd), span, room);
  }
}

/** Our own agent tells in the transcript, too, by what its turn has failed. */
function isFailure({ messageId, content: [first] }: MessageItem): boolean {
  return messageId?.endsWith("_error") === true && first?.type === "text" && first.text.startsWith("Error: ");
}

function failureWords({ content }: MessageItem, cwd: string): string {
  return contentText(content, cwd).replace(/^Error: /, "");
}

/** A paste of hundreds of lines is known to whoever pasted it. */
const MAX_USER_LINES = 12;

function userView(text: string, { width, paint, opens }: ViewRoom): string[] {
  const lines = wrap(cleanText(text).trimEnd(), Math.max(1, width - 2));
  const shown = opens.calls || lines.length <= MAX_USER_LINES ? lines : lines.slice(0, MAX_USER_LINES - 1);
  const missing = lines.length - shown.length;
  const body = indent(shown.map(paint.strong), "  ", paint.accent("❯ "));
  if (missing > 0) body.push(paint.quiet(`  … ${missing} more lines`));
  return fitAll(body, width);
}

function thoughtView(text: string, span: Span, { width, paint, opens, markdown }: ViewRoom): string[] {
  const title = span?.type === "running" ? "∴ thinking…" : `∴ thought${tookWords(span)}`;
  const head = fit(paint.quiet(title), width);
  if (!opens.thoughts) return [head];
  const body = markdown(text, Math.max(1, width - 2)).map((line) => paint.quiet(paint.slanted(cleanText(line))));
  return [head, ...fitAll(indent(body, "  "), width)];
}

function tookWords(span: Span): string {
  return span?.type === "took" && span.ms >= SHORT_MS ? ` for ${toSpan(span.ms)}` : "";
}
