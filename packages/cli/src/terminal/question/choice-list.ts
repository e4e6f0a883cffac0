// A list to choose from: its state, what a key does to it, and its lines. Pure, so that a table can test it.

import { cleanLine } from "../../text/plain.ts";
import { boundLines, fit, fitAll, indent, wrap } from "../view/lines.ts";
import type { Paint } from "../view/paint.ts";
import type { Choice } from "./form-step.ts";

export interface ChoiceList {
  readonly choices: readonly Choice[];
  readonly isMultiple: boolean;
  readonly at: number;
  readonly marked: ReadonlySet<string>;
}

export type ChoiceKey = "up" | "down" | "page-up" | "page-down" | "enter" | "space" | "escape" | `${number}`;

export type ChoiceStep =
  | { readonly type: "moved"; readonly list: ChoiceList }
  | { readonly type: "chosen"; readonly ids: readonly string[] }
  | { readonly type: "escaped" };

const PAGE = 8;

export function createChoiceList(choices: readonly Choice[], isMultiple = false): ChoiceList {
  return { choices, isMultiple, at: 0, marked: new Set() };
}

export function pressKey(list: ChoiceList, key: ChoiceKey): ChoiceStep {
  const { choices, at, marked, isMultiple } = list;
  switch (key) {
    case "up":
      return moved(list, at === 0 ? choices.length - 1 : at - 1);
    case "down":
      return moved(list, at === choices.length - 1 ? 0 : at + 1);
    case "page-up":
      return moved(list, at - PAGE);
    case "page-down":
      return moved(list, at + PAGE);
    case "escape":
      return { type: "escaped" };
    case "space":
      return isMultiple ? toggled(list, at) : { type: "moved", list };
    case "enter": {
      const here = choices[at];
      if (here === undefined) return { type: "escaped" };
      if (!isMultiple || marked.size === 0) return { type: "chosen", ids: [here.id] };
      return { type: "chosen", ids: choices.filter(({ id }) => marked.has(id)).map(({ id }) => id) };
    }
    default: {
      const target = Number(key) - 1;
      const chosen = choices[target];
      if (chosen === undefined) return { type: "moved", list };
      return isMultiple ? toggled(moved(list, target).list, target) : { type: "chosen", ids: [chosen.id] };
    }
  }
}

export interface ChoiceRoom {
  readonly width: number;
  readonly paint: Paint;
  /** So many are shown at once at most, and fewer where they take more lines than there are. */
  readonly maxChoices: number;
  readonly maxLines: number;
}

/** Every choice whole, in as many lines as it takes: nobody allows what cannot be read. */
export function choiceView(list: ChoiceList, room: ChoiceRoom): string[] {
  const { choices, at } = list;
  const blocks = choices.map((_, index) => choiceLines(list, index, room));
  const { from, to } = visible(blocks, at, room);
  const lines = blocks.slice(from, to).flat();
  if (to - from < choices.length) lines.push(fit(room.paint.quiet(`  ${at + 1}/${choices.length}`), room.width));
  return lines;
}

function choiceLines(list: ChoiceList, index: number, { width, paint, maxLines }: ChoiceRoom): string[] {
  const choice = list.choices[index] as Choice;
  const isHere = index === list.at;
  const number = index < 9 ? `${index + 1}` : " ";
  const box = list.isMultiple ? (list.marked.has(choice.id) ? "[x] " : "[ ] ") : "";
  const mark = `${number} ${box}`;
  const label = cleanLine(choice.label);
  const detail = choice.detail === undefined ? "" : paint.quiet(`  ${cleanLine(choice.detail)}`);
  const margin = " ".repeat(mark.length + 2);
  const words = wrap(`${isHere ? paint.strong(label) : label}${detail}`, Math.max(1, width - margin.length));
  const shown = boundLines(words, Math.max(1, maxLines), (missing) => `… ${missing} more lines`);
  const first = isHere ? `${paint.accent("❯")} ${paint.strong(mark)}` : `  ${mark}`;
  return fitAll(indent(shown, margin, first), width);
}

/** As many choices around the chosen one as there is room for, in turns above and below it. */
function visible(
  blocks: readonly (readonly string[])[],
  at: number,
  { maxChoices, maxLines }: ChoiceRoom,
): { readonly from: number; readonly to: number } {
  const heightOf = (index: number): number => blocks[index]?.length ?? Number.POSITIVE_INFINITY;
  let [from, to] = [at, at + 1];
  let height = heightOf(at);
  const fits = (index: number): boolean => to - from < maxChoices && height + heightOf(index) <= maxLines;
  for (let isAbove = true; fits(from - 1) || fits(to); isAbove = !isAbove) {
    const next = (isAbove && fits(from - 1)) || !fits(to) ? from - 1 : to;
    height += heightOf(next);
    if (next < from) from = next;
    else to = next + 1;
  }
  return { from, to };
}

function moved(list: ChoiceList, to: number): { readonly type: "moved"; readonly list: ChoiceList } {
  const at = Math.max(0, Math.min(to, list.choices.length - 1));
  return { type: "moved", list: { ...list, at } };
}

function toggled(list: ChoiceList, at: number): ChoiceStep {
  const id = list.choices[at]?.id;
  if (id === undefined) return { type: "moved", list };
  const marked = new Set(list.marked);
  if (!marked.delete(id)) marked.add(id);
  return { type: "moved", list: { ...list, marked } };
}
