// A list to choose from: its state, what a key does to it, and its lines. Pure, so that a table can test it.

import { cleanLine } from "../view/clean-text.ts";
import { fit } from "../view/lines.ts";
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

export function choiceView(
  { choices, at, marked, isMultiple }: ChoiceList,
  { width, paint, maxLines }: { readonly width: number; readonly paint: Paint; readonly maxLines: number },
): string[] {
  const room = Math.max(1, maxLines);
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), choices.length - room));
  const lines = choices.slice(from, from + room).map((choice, offset) => {
    const index = from + offset;
    const number = index < 9 ? `${index + 1}` : " ";
    const box = isMultiple ? (marked.has(choice.id) ? "[x] " : "[ ] ") : "";
    const label = `${number} ${box}${cleanLine(choice.label)}`;
    const detail = choice.detail === undefined ? "" : paint.quiet(`  ${cleanLine(choice.detail)}`);
    return fit(index === at ? `${paint.accent("❯")} ${paint.strong(label)}${detail}` : `  ${label}${detail}`, width);
  });
  if (choices.length > room) lines.push(fit(paint.quiet(`  ${at + 1}/${choices.length}`), width));
  return lines;
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
