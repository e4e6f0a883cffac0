// Why an edit was not done, told so that the next attempt can be right: where to look, what is there, what to do.

import { type ClosestPassage, closestPassage } from "./closest-passage.ts";
import { borderBefore, firstLine } from "./cut.ts";
import { numberedLine } from "./numbered-line.ts";
import { lineNumberAt, type Span } from "./span.ts";
import type { Texts } from "./undo-escapes.ts";

const SHOWN_MATCHES = 10;
const MATCH_CHARS = 120;
const SHOWN_CHARS = 2_000;
/** Longer lines are not told again beside each other. */
const COMPARED_CHARS = 200;
/** What is shorter may well be in the file for another reason. */
const TELLING_CHARS = 20;

export function ambiguous(text: string, passages: readonly Span[], path: string): string {
  const lines = text.split("\n");
  const shown = passages.slice(0, SHOWN_MATCHES).map(({ start }) => {
    const line = lineNumberAt(text, start);
    return `  line ${line}: ${firstLine(lines[line - 1] ?? "", MATCH_CHARS)}`;
  });
  const more = passages.length > shown.length ? [`  … and ${passages.length - shown.length} more`] : [];
  const advice = "Add lines around it to old_text until it is unique, or set replace_all.";
  return [`Old text found ${passages.length} times in ${path}:`, ...shown, ...more, advice].join("\n");
}

export function notFound(text: string, edit: Texts, path: string): string {
  const message = `Old text not found in ${path}`;
  if (isThereAlready(text, edit)) {
    const line = lineNumberAt(text, text.indexOf(edit.newText));
    return `${message}, but new_text is there already, at line ${line}: it seems to have been edited before.`;
  }
  const closest = closestPassage(text, edit.oldText);
  if (closest === undefined) return `${message}. Read the file again, and copy the text exactly.`;
  const { firstLine: first, lastLine: last, similarity } = closest;
  return [
    message,
    `Most similar: lines ${first}-${last} (${Math.floor(similarity * 100)}% alike):`,
    ...shownLines(closest),
    ...differenceOf(closest, edit.oldText),
    "Copy old_text from the file as it is there, without line numbers, and try again.",
  ].join("\n");
}

function isThereAlready(text: string, { newText }: Texts): boolean {
  return newText.trim().length >= TELLING_CHARS && text.includes(newText);
}

/** As many lines as may be shown, one at least. */
function shownLines({ firstLine: first, text }: ClosestPassage): string[] {
  const lines = text.split("\n");
  const shown: string[] = [];
  let left = SHOWN_CHARS;
  for (const [at, line] of lines.entries()) {
    if (left <= 0) break;
    const end = borderBefore(line, Math.min(line.length, left));
    shown.push(
      numberedLine(first + at, end < line.length ? `${line.slice(0, end)} [+${line.length - end} chars]` : line),
    );
    left -= line.length;
  }
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `[… ${more} more line(s)]`] : shown;
}

/** Quoted, so that blanks are seen. */
function differenceOf({ firstLine: first, text }: ClosestPassage, oldText: string): string[] {
  const actual = text.split("\n");
  const wanted = oldText.replace(/\n$/, "").split("\n");
  const at = wanted.findIndex((line, index) => line !== actual[index]);
  const [there, written] = [actual[at], wanted[at]];
  if (there === undefined || written === undefined) return [];
  if (Math.max(there.length, written.length) > COMPARED_CHARS) return [`The first line that differs: ${first + at}.`];
  return [`The first line that differs: ${first + at} is ${JSON.stringify(there)}, not ${JSON.stringify(written)}.`];
}
