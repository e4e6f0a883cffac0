// A tool call: one line while it is closed, and what it did when it is opened.

import type { ToolCallContent, ToolCallItem } from "@agentao/acp";
import { cleanLine, cleanText } from "../../text/plain.ts";
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
  if (item.status === "failed") return [head, ...failureWords(item, room)];
  return item.status === "in_progress" ? [head, ...lastWords(item, room)] : [head];
}

/** What it did is to be seen where the plan is. */
export function isShownAsPlan({ name, status }: ToolCallItem): boolean {
  return name === "todo_write" && status !== "failed";
}

/** What stands above a call's content already, and is not said again below. */
export interface Said {
  readonly title?: string | undefined;
  readonly command?: string | undefined;
}

/** What a call shows of itself, without its head; also what a permission question shows. */
export function toolContentView(content: readonly ToolCallContent[], room: ViewRoom, said: Said = {}): string[] {
  return content.flatMap((one) => {
    switch (one.type) {
      case "diff": {
        const path = cleanLine(shortPath(one.path, room.cwd));
        const isSaid = said.title?.split(" ").includes(path) === true;
        return [...(isSaid ? [] : [fit(room.paint.strong(path), room.width)]), ...diffView(one, room)];
      }
      case "content": {
        const text = saidText(one, room.cwd);
        return text.trim() === said.command?.trim() ? [] : wrap(text, room.width);
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

/** As much of why a call failed. */
const MAX_FAILURE_LINES = 3;

/** Why it failed, which a command says at its end; the rest is there when it is opened. */
function failureWords(item: ToolCallItem, room: ViewRoom): string[] {
  const said = refusalWords(item) ?? saidBy(item, room).trim();
  // One that was never begun has only shown what it would run.
  if (said === commandOf(item.rawInput)?.trim()) return [];
  const text = shortPaths(said, room.cwd);
  const inner = Math.max(1, room.width - 2);
  const lines = wrap(text, inner).filter((line) => line.trim() !== "");
  const isCommand = item.kind === "execute";
  const shown = isCommand ? lines.slice(-MAX_FAILURE_LINES) : lines.slice(0, MAX_FAILURE_LINES);
  if (lines.length > shown.length) {
    if (isCommand) shown[0] = "…";
    else shown.push(fit(`${shown.pop()}…`, inner));
  }
  return fitAll(indent(shown.map(room.paint.quiet), "  "), room.width);
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
  const title = shortPaths(cleanLine(item.title), room.cwd);
  const refusal = refusalWords(item);
  const lines = [
    ...(command === undefined ? [] : wrap(room.paint.code(`$ ${cleanText(command)}`), inner.width)),
    ...(refusal === undefined ? toolContentView(item.content, inner, { command, title }) : wrap(refusal, inner.width)),
  ];
  const shown = boundLines(lines, MAX_LINES, (missing) => room.paint.quiet(`… ${missing} more lines`));
  return fitAll(indent(shown, "  "), room.width);
}
