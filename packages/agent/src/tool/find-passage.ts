// Finds the passage a model means, though it may not have copied it to the letter: exactly, then line by line without the
// whitespace around and between words, then with look-alike characters taken for each other. What is less exact is tried
// only where what is more exact finds nothing.

import { findFolded, fold, isPlain } from "./look-alike.ts";
import type { Span } from "./span.ts";

export type How = "exact" | "whitespace" | "look-alike";

export interface Passage extends Span {
  /** When it was found by its lines: where each wanted line is. Nothing for a blank one that is not there. */
  readonly lines?: readonly (Span | undefined)[] | undefined;
}

export interface Found {
  readonly how: How;
  /** In order; exact ones may overlap. Empty when nothing was found. */
  readonly passages: readonly Passage[];
}

/** Longer texts are searched to the letter only: the rest would take too long. */
const MAX_FOLDED_CHARS = 2 * 1024 * 1024;

type Key = (line: string) => string;

/** A text to be searched several times. */
export interface Haystack {
  readonly text: string;
  /** Whether a line that says this can be in it at all, whatever its blanks. A cheap no. */
  mayHave(line: string): boolean;
  /** The same with look-alike characters taken for each other. */
  mayHaveAlike(line: string): boolean;
}

export function createHaystack(text: string): Haystack {
  let plain: string | undefined;
  let alike: string | undefined;
  return {
    text,
    mayHave(line) {
      plain ??= squeeze(text);
      return plain.includes(squeeze(line));
    },
    mayHaveAlike(line) {
      alike ??= squeeze(fold(text));
      return alike.includes(squeeze(fold(line)));
    },
  };
}

export function findPassages(haystack: Haystack, wanted: string): Found {
  const { text } = haystack;
  const exact = findExact(text, wanted);
  if (exact.length > 0 || text.length > MAX_FOLDED_CHARS) return { how: "exact", passages: exact };
  const anchor = longestLine(wanted);
  const byLines = haystack.mayHave(anchor) ? findByLines(text, wanted, (line) => line) : [];
  if (byLines.length > 0) return { how: "whitespace", passages: byLines };
  const isHopeless = (isPlain(text) && isPlain(wanted)) || !haystack.mayHaveAlike(anchor);
  return isHopeless ? { how: "exact", passages: [] } : { how: "look-alike", passages: findAlike(text, wanted) };
}

function squeeze(text: string): string {
  return text.replace(/[^\S\n]+/g, "");
}

function longestLine(wanted: string): string {
  return wanted
    .split("\n")
    .reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest), "");
}

function findAlike(text: string, wanted: string): Passage[] {
  const byLines = findLines(text, wanted, (line) => fold(line).trim());
  if (byLines.length > 0) return byLines;
  const folded = findFolded(text, wanted);
  return folded.length > 0 ? folded : findByLines(text, wanted, fold);
}

export function findExact(text: string, wanted: string): Span[] {
  const passages: Span[] = [];
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + 1)) {
    passages.push({ start, end: start + wanted.length });
  }
  return passages;
}

/** From the strictest way of comparing lines to the most generous one. */
function findByLines(text: string, wanted: string, prepare: Key): Passage[] {
  const ways: (() => Passage[])[] = [
    () => findLines(text, wanted, (line) => prepare(line).trimEnd()),
    () => findLines(text, wanted, (line) => prepare(line).trim()),
    () => findLines(text, wanted, (line) => words(prepare(line))),
    () => findLines(text, wanted, (line) => withoutBlanks(prepare(line))),
    () => findWithoutBlanks(text, wanted, (line) => words(prepare(line))),
    () => findWithPartialEnds(text, wanted, (line) => words(prepare(line))),
  ];
  for (const way of ways) {
    const passages = way();
    if (passages.length > 0) return passages;
  }
  return [];
}

/** Runs of blanks count as one, except in quotes: there they are what the program says. */
function words(line: string): string {
  return withBlanksAs(line, " ");
}

function withoutBlanks(line: string): string {
  return withBlanksAs(line, "");
}

function withBlanksAs(line: string, blank: string): string {
  const blanksOrQuoted = /[\t ]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
  return line.trim().replace(blanksOrQuoted, (found) => (/^[\t ]/.test(found) ? blank : found));
}

/** Whole lines whose keys are those of the wanted ones. The last line's ending belongs to it only if it was wanted. */
function findLines(text: string, wanted: string, keyOf: Key): Passage[] {
  const keys = wantedLines(wanted).map(keyOf);
  if (!keys.some(isTelling)) return [];
  const lines = linesOf(text);
  return findKeys(lines, keys, keyOf).map((at) =>
    toPassage(
      text,
      wanted,
      keys.map((_, offset) => lines[at + offset]),
    ),
  );
}

/** Blank lines may be missing, or be there and not wanted. */
function findWithoutBlanks(text: string, wanted: string, keyOf: Key): Passage[] {
  const wantedKeys = wantedLines(wanted).map(keyOf);
  const keys = wantedKeys.filter((key) => key !== "");
  if (!keys.some(isTelling)) return [];
  const all = linesOf(text);
  const indexAt = new Map(all.map((line, index) => [line.start, index]));
  const lines = all.filter(({ content }) => content.trim() !== "");
  return findKeys(lines, keys, keyOf).map((at) => {
    let next = at;
    const spans = wantedKeys.map((key) => (key === "" ? undefined : lines[next++]));
    return toPassage(text, wanted, withBlanks(spans, all, indexAt));
  });
}

/** Where a blank line was wanted and is there, it is part of what was found. */
function withBlanks(
  spans: readonly (Line | undefined)[],
  all: readonly Line[],
  indexAt: ReadonlyMap<number, number>,
): (Line | undefined)[] {
  const filled = [...spans];
  for (let index = 1; index < filled.length; index++) {
    const before = filled[index - 1];
    if (filled[index] !== undefined || before === undefined) continue;
    const next = all[(indexAt.get(before.start) ?? -1) + 1];
    const isLast = !filled.slice(index).some((line) => line !== undefined);
    if (next !== undefined && next.content.trim() === "" && !isLast) filled[index] = next;
  }
  return filled;
}

/** The first wanted line may be the end of a line, and the last one the beginning of one. */
function findWithPartialEnds(text: string, wanted: string, keyOf: Key): Passage[] {
  const written = wantedLines(wanted);
  const keys = written.map(keyOf);
  const [first, last] = [written[0]?.trim() ?? "", written.at(-1)?.trim() ?? ""];
  if (keys.length < 2 || !/\w{3}/.test(first) || !/\w{3}/.test(last)) return [];
  const lines = linesOf(text);
  return lines.flatMap((head, at): Passage[] => {
    const tail = lines[at + keys.length - 1];
    if (tail === undefined || !head.content.trimEnd().endsWith(first) || !tail.content.trimStart().startsWith(last)) {
      return [];
    }
    if (!keys.slice(1, -1).every((key, offset) => key === keyOf(lines[at + 1 + offset]?.content ?? ""))) return [];
    const start = head.start + head.content.trimEnd().length - first.length;
    const end = tail.start + (tail.content.length - tail.content.trimStart().length) + last.length;
    const between = lines.slice(at + 1, at + keys.length - 1);
    const isInWord = /\w/.test(text[start - 1] ?? "") || /\w/.test(text[end] ?? "");
    return isInWord ? [] : [{ start, end, lines: [{ start, end: head.end }, ...between, { start: tail.start, end }] }];
  });
}

interface Line extends Span {
  readonly content: string;
}

/** Without their endings; in texts with mixed endings the "\r" is part of the ending. */
function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const content = line.endsWith("\r") ? line.slice(0, -1) : line;
    const found = { start, end: start + content.length, content };
    start += line.length + 1;
    return found;
  });
}

function wantedLines(wanted: string): string[] {
  return (wanted.endsWith("\n") ? wanted.slice(0, -1) : wanted).split("\n");
}

/** A bracket alone is anywhere. */
function isTelling(key: string): boolean {
  return /[\p{L}\p{N}]|\S{3}/u.test(key);
}

function findKeys(lines: readonly Line[], keys: readonly string[], keyOf: Key): number[] {
  const lineKeys = lines.map(({ content }) => keyOf(content));
  const found: number[] = [];
  for (let at = 0; at + keys.length <= lines.length; at++) {
    if (keys.every((key, offset) => key === lineKeys[at + offset])) found.push(at);
  }
  return found;
}

function toPassage(text: string, wanted: string, lines: readonly (Line | undefined)[]): Passage {
  const there = lines.filter((line) => line !== undefined);
  const [start, end] = [there[0]?.start ?? 0, there.at(-1)?.end ?? 0];
  return { start, end: wanted.endsWith("\n") ? afterEnding(text, end) : end, lines };
}

function afterEnding(text: string, end: number): number {
  const ending = /^\r?\n/.exec(text.slice(end, end + 2))?.[0] ?? "";
  return end + ending.length;
}
