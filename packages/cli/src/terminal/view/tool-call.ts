// A tool call: one line while it is closed, and what it did when it is opened.

import type { ToolCallContent, ToolCallItem } from "@agentao/acp";
import { cleanLine, cleanText } from "./clean-text.ts";
import { contentText } from "./content.ts";
import { diffCount, diffView } from "./diff.ts";
import { boundLines, fit, fitAll, indent, spread, wrap } from "./lines.ts";
import { SHORT_MS, type Span, shortPath, toDuration, type ViewRoom } from "./room.ts";

/** An open call shows so much of one piece of its content. */
const MAX_LINES = 200;

export function toolCallView(item: ToolCallItem, span: Span, room: ViewRoom): string[] {
  const head = headLine(item, span, room);
  if (room.opens.calls) return [head, ...openView(item, room)];
  return item.status === "failed" ? [head, ...firstWords(item, room)] : [head];
}

/** What a call shows of itself, without its head; also what a permission question shows. */
export function toolContentView(content: readonly ToolCallContent[], room: ViewRoom): string[] {
  return content.flatMap((one) => {
    switch (one.type) {
      case "diff":
        return [fit(room.paint.strong(cleanLine(shortPath(one.path, room.cwd))), room.width), ...diffView(one, room)];
      case "content":
        return wrap(cleanText(contentText([one.content], room.cwd)).trimEnd(), room.width);
      case "terminal":
        return [fit(room.paint.quiet("(shown in a terminal)"), room.width)];
      default:
        return [];
    }
  });
}

/** The command of a call that runs one, whole. */
export function commandOf(rawInput: unknown): string | undefined {
  const { command } = (rawInput ?? {}) as { command?: unknown };
  if (typeof command === "string") return command;
  return Array.isArray(command) ? command.filter((word) => typeof word === "string").join(" ") : undefined;
}

function headLine(item: ToolCallItem, span: Span, { width, paint, cwd }: ViewRoom): string {
  const [sign, style] =
    item.status === "completed"
      ? (["✓", paint.good] as const)
      : item.status === "failed"
        ? (["✗", paint.bad] as const)
        : item.status === "in_progress"
          ? (["●", paint.accent] as const)
          : (["○", paint.quiet] as const);
  const counts = item.content.flatMap((one) => (one.type === "diff" ? [diffCount(one, paint)] : []));
  const took = span?.type === "took" && span.ms >= SHORT_MS ? paint.quiet(toDuration(span.ms)) : "";
  const right = [...counts, took].filter((part) => part !== "").join(" ");
  const title = cleanLine(item.title).replaceAll(`${cwd}/`, "");
  return spread(`${style(sign)} ${title}`, right, width);
}

/** Why it failed, in a line or two; the rest is there when it is opened. */
function firstWords(item: ToolCallItem, { width, paint, cwd }: ViewRoom): string[] {
  const said = item.content.map((one) => (one.type === "content" ? contentText([one.content], cwd) : "")).join("\n");
  const lines = wrap(cleanText(said).trim(), Math.max(1, width - 2)).filter((line) => line.trim() !== "");
  return fitAll(indent(lines.slice(0, 2).map(paint.quiet), "  "), width);
}

function openView(item: ToolCallItem, room: ViewRoom): string[] {
  const inner = { ...room, width: Math.max(1, room.width - 2) };
  const command = item.kind === "execute" ? commandOf(item.rawInput) : undefined;
  const lines = [
    ...(command === undefined ? [] : wrap(room.paint.code(`$ ${cleanText(command)}`), inner.width)),
    ...toolContentView(item.content, inner),
  ];
  const shown = boundLines(lines, MAX_LINES, (missing) => room.paint.quiet(`… ${missing} more lines`));
  return fitAll(indent(shown, "  "), room.width);
}
