// How the thing an "always" is about is written for people: short, on one line, in quotes.

import { visibleLine } from "./visible.ts";

const MAX_SUBJECT_CHARS = 80;

export function quoteAll(texts: readonly string[]): string {
  return list(texts.map((text) => `\`${bound(text).replaceAll("`", "'")}\``));
}

export function list(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length <= 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** A lone surrogate at the cut would be no text. */
export function bound(text: string): string {
  const line = visibleLine(text);
  if (line.length <= MAX_SUBJECT_CHARS) return line;
  return `${line.slice(0, MAX_SUBJECT_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
