// Puts new lines in place of a passage that was found line by line. Lines that stay the same stay as the file has them;
// new ones get its indentation and its characters.

import type { Passage } from "./find-passage.ts";
import { type Indentation, type IndentPair, learnIndentation } from "./indentation.ts";
import { type Hunk, hunksOf } from "./line-hunk.ts";
import { carryOver } from "./look-alike.ts";
import type { Span } from "./span.ts";

interface Rewriting {
  readonly text: string;
  /** Where each old line is. */
  readonly spans: readonly (Span | undefined)[];
  /** The old lines, as the model wrote them and as they are. */
  readonly pairs: readonly IndentPair[];
  readonly fresh: readonly string[];
  readonly indentation: Indentation;
}

/** Nothing when it cannot be known how a new line is indented. */
export function rewriteLines(
  text: string,
  passage: Passage,
  { oldText, newText }: { readonly oldText: string; readonly newText: string },
  textUnit: string | undefined,
): string | undefined {
  if (newText === "") return "";
  const spans = passage.lines ?? [];
  const withEnding = oldText.endsWith("\n");
  const old = splitLines(oldText, withEnding);
  const fresh = splitLines(newText, withEnding && newText.endsWith("\n"));
  const pairs = old.map((written, at): IndentPair => ({ written, actual: lineAt(text, spans[at]) ?? written }));
  const known = pairs.filter((_, at) => spans[at] !== undefined && isLineStart(text, spans[at]));
  const indentation = learnIndentation(known, { textUnit, written: `${oldText}\n${newText}` });
  const rewriting: Rewriting = { text, spans, pairs, fresh, indentation };
  const lines = hunksOf(old, fresh).flatMap((hunk) =>
    hunk.isSame ? keptLines(rewriting, hunk) : freshLines(rewriting, hunk),
  );
  if (lines.includes(undefined)) return undefined;
  const ending = text.slice(passage.start, passage.end).includes("\r\n") ? "\r\n" : "\n";
  return lines.join(ending) + endingOf(text, passage, spans);
}

function splitLines(text: string, withoutLastEnding: boolean): string[] {
  return (withoutLastEnding ? text.slice(0, -1) : text).split("\n");
}

function lineAt(text: string, span: Span | undefined): string | undefined {
  return span && text.slice(span.start, span.end);
}

function isLineStart(text: string, span: Span | undefined): boolean {
  return span === undefined || span.start === 0 || text[span.start - 1] === "\n";
}

function keptLines({ text, spans }: Rewriting, { oldStart, oldEnd }: Hunk): string[] {
  const kept: string[] = [];
  for (let at = oldStart; at < oldEnd; at++) {
    const line = lineAt(text, spans[at]);
    kept.push(...blanksBefore(text, spans, at), ...(line === undefined ? [] : [line]));
  }
  return kept;
}

function freshLines(rewriting: Rewriting, { oldStart, oldEnd, freshStart, freshEnd }: Hunk): (string | undefined)[] {
  const { text, spans, pairs, fresh, indentation } = rewriting;
  const isPaired = oldEnd - oldStart === freshEnd - freshStart;
  const isReplaced = oldEnd > oldStart && freshEnd > freshStart;
  const startsInLine = !isLineStart(text, firstOf(spans));
  const lines = fresh.slice(freshStart, freshEnd).map((line, offset) => {
    const isFirst = freshStart + offset === 0;
    // What comes first stands where the passage began.
    const instead = isPaired || isFirst ? pairs[oldStart + offset] : undefined;
    const adjusted = isFirst && startsInLine ? line : indentation.adjust(line, instead);
    return adjusted !== undefined && isPaired && instead ? withCharacters(adjusted, instead) : adjusted;
  });
  return isReplaced ? [...blanksBefore(text, spans, oldStart), ...lines] : lines;
}

function firstOf(spans: readonly (Span | undefined)[]): Span | undefined {
  return spans.find((span) => span !== undefined);
}

/** Blank lines of the file that the model did not write stay, before the line they stand before. */
function blanksBefore(text: string, spans: readonly (Span | undefined)[], at: number): string[] {
  const here = spans[at];
  const before = spans.slice(0, at).findLast((span) => span !== undefined);
  if (here === undefined || before === undefined) return [];
  const between = text.slice(before.end, here.start).split("\n").slice(1, -1);
  return between.map((line) => line.replace(/\r$/, ""));
}

/** What the line has in common with the one it replaces stays in the characters of the file. */
function withCharacters(line: string, { written, actual }: IndentPair): string {
  const plain = line.trim();
  const content = carryOver(actual.trim(), written.trim(), plain);
  return content === plain ? line : line.replace(plain, () => content);
}

/** The ending of the last line, when it is part of the passage. */
function endingOf(text: string, passage: Passage, spans: readonly (Span | undefined)[]): string {
  const last = spans.findLast((span) => span !== undefined);
  return last === undefined ? "" : text.slice(last.end, passage.end);
}
