// Characters that look alike, taken for each other: typographic quotes and dashes, blanks of all kinds, compatible forms.

import type { Span } from "./span.ts";

/** What looks alike becomes alike; what cannot be seen is gone. */
export function fold(text: string): string {
  if (isPlain(text)) return text;
  return text
    .normalize("NFKC")
    .replace(/[\u2018-\u201b\u2032\u00b4]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, "-")
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "");
}

export function isPlain(text: string): boolean {
  return /^[\t\n\r -~]*$/.test(text);
}

/** Passages that look like what is wanted, and begin and end where characters of the text do. */
export function findFolded(text: string, wanted: string): Span[] {
  const needle = fold(wanted);
  if (needle.trim() === "") return [];
  const { folded, origin } = foldWithOrigins(text);
  const found: Span[] = [];
  for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + 1)) {
    const [start, end] = [origin[at] as number, origin[at + needle.length] as number];
    const isWhole = origin[at - 1] !== start && origin[at + needle.length - 1] !== end;
    if (isWhole) found.push({ start, end });
  }
  return found;
}

/**
 * `fresh` in place of `actual`, which `old` looks like: what `old` and `fresh` begin and end with alike stays as it
 * actually is.
 */
export function carryOver(actual: string, old: string, fresh: string): string {
  if (isPlain(actual) && isPlain(old)) return fresh;
  const { folded, origin } = foldWithOrigins(actual);
  if (folded !== fold(old)) return fresh;
  const head = commonHead(old, fresh);
  const tail = commonTail(old.slice(head), fresh.slice(head));
  const headChars = fold(old.slice(0, head)).length;
  const tailChars = folded.length - fold(old.slice(old.length - tail)).length;
  const [headEnd, tailStart] = [origin[headChars] as number, origin[tailChars] as number];
  // One character may look like several: it is kept or replaced as a whole.
  if (origin[headChars - 1] === headEnd || origin[tailChars - 1] === tailStart) return fresh;
  return actual.slice(0, headEnd) + fresh.slice(head, fresh.length - tail) + actual.slice(tailStart);
}

/** For each character of the folded text, where in the text it comes from; one more for the end. */
function foldWithOrigins(text: string): { folded: string; origin: Uint32Array } {
  const pieces: string[] = [];
  const origins: number[] = [];
  // A stretch of plain characters, or one character with its marks.
  for (const { 0: unit, index } of text.matchAll(/[\t\n\r -~]+(?!\p{M})|\P{M}\p{M}*|\p{M}+/gsu)) {
    const piece = fold(unit);
    pieces.push(piece);
    for (let at = 0; at < piece.length; at++) origins.push(piece === unit ? index + at : index);
  }
  origins.push(text.length);
  return { folded: pieces.join(""), origin: Uint32Array.from(origins) };
}

function commonHead(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  while (at > 0 && !(isBorder(a, at) && isBorder(b, at))) at--;
  return at;
}

function commonTail(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  while (count > 0 && !(isBorder(a, a.length - count) && isBorder(b, b.length - count))) count--;
  return count;
}

/** No word is torn, and no character from its marks. */
function isBorder(text: string, at: number): boolean {
  const [before, after] = [text[at - 1] ?? " ", text[at] ?? " "];
  return !/[\p{M}\p{Cs}]/u.test(after) && !(/[\p{L}\p{N}\p{M}]/u.test(before) && /[\p{L}\p{N}]/u.test(after));
}
