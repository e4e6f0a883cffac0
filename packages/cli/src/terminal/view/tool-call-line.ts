// A tool call in one line: how it goes, what it is, and on the right what came of it.

import type { ToolCallItem } from "@agentao/acp";
import { visibleWidth } from "@earendil-works/pi-tui";
import { cleanLine } from "../../text/plain.ts";
import { toSpan } from "../../text/when.ts";
import { saidText } from "./content.ts";
import { diffCount } from "./diff.ts";
import { spread } from "./lines.ts";
import { SHORT_MS, type Span, shortPath, shortPaths, type ViewRoom } from "./room.ts";

export function toolCallLine(item: ToolCallItem, span: Span, room: ViewRoom): string {
  const { width, paint } = room;
  const [sign, style] =
    item.status === "completed"
      ? (["✓", paint.good] as const)
      : item.status === "failed"
        ? (["✗", paint.bad] as const)
        : item.status === "in_progress"
          ? (["●", paint.accent] as const)
          : (["○", paint.quiet] as const);
  const title = shortPaths(cleanLine(item.title), room.cwd);
  const full = rightSide(item, [resultWords(item, room), tookWords(span)], room);
  // Of what it found, only where there is room for what it is.
  const isRoomy = visibleWidth(title) + MARGIN + visibleWidth(full) <= width;
  const right = isRoomy ? full : rightSide(item, [tookWords(span)], room);
  const titleWidth = width - MARGIN - visibleWidth(right);
  return spread(`${style(sign)} ${shortTitle(title, item, titleWidth, room)}`, right, width);
}

/** The sign before a title, and the blanks around it. */
const MARGIN = 3;

function rightSide(item: ToolCallItem, words: readonly string[], { paint }: ViewRoom): string {
  const counts = item.content.flatMap((one) => (one.type === "diff" ? [diffCount(one, paint)] : []));
  const said = words.filter((word) => word !== "").join(" · ");
  return [...counts, said === "" ? "" : paint.quiet(said)].filter((part) => part !== "").join(" ");
}

function tookWords(span: Span): string {
  return span?.type === "took" && span.ms >= SHORT_MS ? toSpan(span.ms) : "";
}

/** Kinds whose result is a text to be read by the line. */
const TOLD_KINDS: ReadonlySet<string> = new Set(["read", "search", "execute", "fetch"]);
/** A result of one line says itself, where it is as short as this. */
const MAX_RESULT_WIDTH = 30;

function resultWords(item: ToolCallItem, room: ViewRoom): string {
  if (item.status !== "completed" || !TOLD_KINDS.has(item.kind) || room.opens.calls) return "";
  const said = item.content.map((one) => saidText(one, room.cwd)).join("\n");
  const lines = said.trim() === "" ? [] : said.split("\n");
  const [only = ""] = lines;
  if (lines.length > 1) return `${lines.length} lines`;
  if (item.kind === "read" || visibleWidth(only) > MAX_RESULT_WIDTH) return lines.length === 1 ? "1 line" : "";
  return only.trim();
}

/** Of a path that is too long, the end says more than the beginning. */
function shortTitle(title: string, { locations }: ToolCallItem, width: number, { cwd }: ViewRoom): string {
  const path = cleanLine(shortPath(locations[0]?.path ?? "", cwd));
  const kept = path.length - (visibleWidth(title) - width) - 1;
  if (visibleWidth(title) <= width || !title.includes(path) || kept < MIN_PATH_WIDTH) return title;
  const end = path.slice(-kept);
  return title.replace(path, () => `…${end.slice(Math.max(0, end.indexOf("/")))}`);
}

/** Less of a path tells nothing. */
const MIN_PATH_WIDTH = 12;
