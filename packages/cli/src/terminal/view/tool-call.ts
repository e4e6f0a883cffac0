// A tool call: one line while it is closed, and what it did when it is opened.

import type { ToolCallContent, ToolCallItem } from "@agentao/acp";
import { cleanLine, cleanText } from "./clean-text.ts";
import { saidText } from "./content.ts";
import { diffView } from "./diff.ts";
import { boundLines, fit, fitAll, indent, wrap } from "./lines.ts";
import { refusalWords } from "./refusal.ts";
import { type Span, shortPath, shortPaths, type ViewRoom } from "./room.ts";
import { toolCallLine } from "./tool-call-line.ts";

/** An open call shows so much of one piece of its content. */
const MAX_LINES = 200;

export function toolCallView(item: ToolCallItem, span: Span, room: ViewRoom): string[] {
  if (isShownAsPlan(item) && !room.opens.calls) return [];
  const head = toolCallLine(item, span, room);
  if (room.opens.calls) return [head, ...openView(item, room)];
  if (item.status === "failed") return [head, ...firstWords(item, room)];
  return item.status === "in_progress" ? [head, ...lastWords(item, room)] : [head];
}

/** What it did is to be seen where the plan is. */
export function isShownAsPlan({ name, status }: ToolCallItem): boolean {
  return name === "todo_write" && status !== "failed";
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
  const text = shortPaths(refusalWords(item) ?? saidBy(item, room).trim(), room.cwd);
  const inner = Math.max(1, room.width - 2);
  const lines = wrap(text, inner).filter((line) => line.trim() !== "");
  const [first = "", second = ""] = lines;
  const end = lines.length > 2 ? fit(`${second}…`, inner) : second;
  const shown = [first, end].filter((line) => line !== "").map(room.paint.quiet);
  return fitAll(indent(shown, "  "), room.width);
}

/** Where a command is that runs: the line it has written last. */
function lastWords(item: ToolCallItem, room: ViewRoom): string[] {
  const text = saidBy(item, room).trim();
  if (item.kind !== "execute" || text === "" || text === commandOf(item.rawInput)?.trim()) return [];
  return [fit(room.paint.quiet(`  ${text.slice(text.lastIndexOf("\n") + 1).trim()}`), room.width)];
}

function saidBy(item: ToolCallItem, room: ViewRoom): string {
  return item.content.map((one) => saidText(one, room.cwd)).join("\n");
}

function openView(item: ToolCallItem, room: ViewRoom): string[] {
  const inner = { ...room, width: Math.max(1, room.width - 2) };
  const command = item.kind === "execute" ? commandOf(item.rawInput) : undefined;
  const refusal = refusalWords(item);
  const lines = [
    ...(command === undefined ? [] : wrap(room.paint.code(`$ ${cleanText(command)}`), inner.width)),
    ...(refusal === undefined ? toolContentView(item.content, inner, command) : wrap(refusal, inner.width)),
  ];
  const shown = boundLines(lines, MAX_LINES, (missing) => room.paint.quiet(`… ${missing} more lines`));
  return fitAll(indent(shown, "  "), room.width);
}
