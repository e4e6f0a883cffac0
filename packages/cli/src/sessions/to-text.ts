// A transcript for a terminal. What others wrote cannot move its cursor, and long output is bounded.

import { createColors } from "picocolors";
import { toLine, toPlain } from "../plain.ts";
import { toClock } from "../when.ts";
import { contentText, promptText, shownOf } from "./content-text.ts";
import { callTitle, factsOf, itemsToShow, notesOn, titleOf } from "./facts.ts";
import { type CallItem, describeOutcome, type Item, type Transcript, type Turn } from "./transcript.ts";

export interface TextOptions {
  readonly colors: boolean;
  /** Of the output of one call. */
  readonly maxLines: number;
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
      return [callText(item, paint, options.maxLines)];
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

function callText(item: CallItem, paint: Paint, maxLines: number): string {
  const mark = item.failed === true ? paint.red("✗") : item.failed === false ? paint.green("✓") : "·";
  const output = shownOf(item).map(contentText).join("\n");
  return [
    `${mark} ${paint.bold(toLine(callTitle(item), 300))} ${paint.dim(`(${item.call.name})`)}`,
    ...notesOn(item).map((note) => `  ${paint.dim(toLine(note, 1000))}`),
    ...bounded(toPlain(output).trimEnd(), maxLines).map((line) => `  ${paint.dim("│")} ${line}`),
  ].join("\n");
}

function bounded(text: string, maxLines: number): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const left = lines.length - maxLines;
  return left <= 0 ? lines : [...lines.slice(0, maxLines), `… ${left} more ${left === 1 ? "line" : "lines"}`];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
