// A tool call: one line while it is closed, and what it did when it is opened.

import type { ToolCallContent, ToolCallItem } from "@agentao/acp";
import { cleanLine, cleanText } from "./clean-text.ts";
import { saidText } from "./content.ts";
import { diffView } from "./diff.ts";
import { boundLines, fit, fitAll, indent, wrap } from "./lines.ts";
import { type Span, shortPath, type ViewRoom } from "./room.ts";
import { toolCallLine } from "./tool-call-line.ts";

/** An open call shows so much of one piece of its content. */
const MAX_LINES = 200;

export function toolCallView(item: ToolCallItem, span: Span, room: ViewRoom): string[] {
  const head = toolCallLine(item, span, room);
  if (room.opens.calls) return [head, ...openView(item, room)];
  return item.status === "failed" ? [head, ...firstWords(item, room)] : [head];
}

/**
 * What a call shows of itself, without its head; also what a permission question shows. A text that only says the
 * command again, which stands above it, is left out.
 */
export function toolContentView(content: readonly ToolCallContent[], room: ViewRoom, command?: string): string[] {
  return content.flatMap((one) => {
    switch (one.type) {
      case "diff":
        return [fit(room.paint.strong(cleanLine(shortPath(one.path, room.cwd))), room.width), ...diffView(one, room)];
      case "content": {
        const said = saidText(one, room.cwd);
        return said.trim() === command?.trim() ? [] : wrap(said, room.width);
      }
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

/** Why it failed, in a line or two; the rest is there when it is opened. */
function firstWords(item: ToolCallItem, room: ViewRoom): string[] {
  const said = item.content.map((one) => saidText(one, room.cwd)).join("\n");
  const text = said.trim().replaceAll(`${room.cwd}/`, "");
  const lines = wrap(text, Math.max(1, room.width - 2)).filter((line) => line.trim() !== "");
  return fitAll(indent(lines.slice(0, 2).map(room.paint.quiet), "  "), room.width);
}

function openView(item: ToolCallItem, room: ViewRoom): string[] {
  const inner = { ...room, width: Math.max(1, room.width - 2) };
  const command = item.kind === "execute" ? commandOf(item.rawInput) : undefined;
  const lines = [
    ...(command === undefined ? [] : wrap(room.paint.code(`$ ${cleanText(command)}`), inner.width)),
    ...toolContentView(item.content, inner, command),
  ];
  const shown = boundLines(lines, MAX_LINES, (missing) => room.paint.quiet(`… ${missing} more lines`));
  return fitAll(indent(shown, "  "), room.width);
}
