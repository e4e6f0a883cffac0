// A transcript for a terminal. What others wrote cannot move its cursor, and long output is bounded.

import type { CallContent } from "@agentao/agent";
import { createColors } from "picocolors";
import { toLine, toPlain } from "../text/plain.ts";
import { toClock } from "../text/when.ts";
import { contentText, promptText, shownOf } from "./content-text.ts";
import { callTitle, factsOf, itemsToShow, notesOn, titleOf } from "./facts.ts";
import { type CallItem, describeOutcome, type Item, type Transcript, type Turn } from "./transcript.ts";

export interface TextOptions {
  readonly colors: boolean;
  /** Of the output of one call. */
  readonly maxLines: number;
  /** Of one line of it. */
  readonly maxColumns: number;
  /** Whether the model's thoughts are shown. */
  readonly thoughts: boolean;
}

type Paint = ReturnType<typeof createColors>;

export function toText(transcript: Transcript, options: TextOptions): string {
  const paint = createColors(options.colors);
  const facts = factsOf(transcript).map(([name, value]) => `${paint.dim(name.padEnd(11))} ${toLine(value, 500)}`);
  const parts = [
    `${paint.bold(toLine(titleOf(transcript), 200))}\n${facts.join("\n")}`,
    ...transcript.turns.map((turn) => turnText(turn, paint, options)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function turnText(turn: Turn, paint: Paint, options: TextOptions): string {
  const { at, prompt, outcome, endedAt } = turn;
  const how = describeOutcome(outcome);
  return [
    `${paint.bold(paint.cyan("You"))} ${paint.dim(toClock(at))}\n${indent(toPlain(promptText(prompt)))}`,
    ...itemsToShow(turn).flatMap((item) => itemText(item, paint, options)),
    ...(how === undefined
      ? []
      : [paint.yellow(`[${toLine(how, 1000)}${endedAt === undefined ? "" : `, ${toClock(endedAt)}`}]`)]),
  ].join("\n\n");
}

function itemText(item: Item, paint: Paint, options: TextOptions): string[] {
  switch (item.type) {
    case "text":
      return [`${paint.bold(paint.green("Agent"))}\n${indent(toPlain(item.text).trimEnd())}`];
    case "reasoning":
      return options.thoughts ? [paint.dim(`Thought\n${indent(toPlain(item.text).trimEnd())}`)] : [];
    case "call":
      return [callText(item, paint, options)];
    case "plan":
      return [
        `Plan\n${item.entries.map(({ status, content }) => `  ${PLAN[status] ?? "[ ]"} ${toLine(content, 500)}`).join("\n")}`,
      ];
    case "summary":
      return [paint.dim(`Summed up what was before\n${indent(toPlain(item.text).trimEnd())}`)];
    case "remark":
      return [paint.yellow(`[${toLine(item.text, 500)}]`)];
    default:
      return [];
  }
}

export const PLAN: Readonly<Record<string, string>> = { pending: "[ ]", in_progress: "[~]", completed: "[x]" };

function callText(item: CallItem, paint: Paint, options: TextOptions): string {
  const mark = item.failed === true ? paint.red("✗") : item.failed === false ? paint.green("✓") : "·";
  const lines = shownOf(item).flatMap((content) => contentLines(content, paint, options));
  return [
    `${mark} ${paint.bold(toLine(callTitle(item), 300))} ${paint.dim(`(${toLine(item.call.name, 100)})`)}`,
    ...notesOn(item).map((note) => `  ${paint.dim(toLine(note, 1000))}`),
    ...bounded(lines, options.maxLines).map((line) => `  ${paint.dim("│")} ${line}`),
  ].join("\n");
}

function contentLines(content: CallContent, paint: Paint, { maxColumns }: TextOptions): string[] {
  const text = toPlain(contentText(content)).trimEnd();
  if (text === "") return [];
  const lines = text.split("\n").map((line) => cut(line, maxColumns));
  return content.type === "diff" ? lines.map((line) => painted(line, paint)) : lines;
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}

function cut(line: string, maxColumns: number): string {
  const left = line.length - maxColumns;
  return left <= 0 ? line : `${line.slice(0, maxColumns)}… ${left} more characters`;
}

function bounded(lines: readonly string[], maxLines: number): readonly string[] {
  const left = lines.length - maxLines;
  return left <= 0 ? lines : [...lines.slice(0, maxLines), `… ${left} more ${left === 1 ? "line" : "lines"}`];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
