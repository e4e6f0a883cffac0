// Replaces passages of a text. All edits or none; a passage that is not there, or is there more than once, is a problem
// that says where to look.

import { closestPassage } from "./closest-passage.ts";
import { borderBefore, firstLine } from "./cut.ts";
import { findPassages, type How, type Passage } from "./find-passage.ts";
import { formOf, inForm, withoutForm } from "./text-form.ts";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type Edited =
  | {
      readonly type: "edited";
      readonly text: string;
      readonly count: number;
      /** The least exact way in which one of them was found. */
      readonly how: How;
      /** Where the first edit begins, 1-based, in the new text. */
      readonly line: number;
    }
  | { readonly type: "refused"; readonly problem: string };

const SHOWN_MATCHES = 10;
const SHOWN_CHARS = 2_000;
const LINE_CHARS = 120;

/** Each edit sees the text the one before it left. Line endings and byte order mark stay as they are. */
export function editText(text: string, edits: readonly Edit[], path: string): Edited {
  const form = formOf(text);
  let content = withoutForm(text, form);
  let count = 0;
  let how: How = "exact";
  let line: number | undefined;
  for (const [at, edit] of edits.entries()) {
    const result = applyEdit(
      content,
      { ...edit, oldText: plainEndings(edit.oldText), newText: plainEndings(edit.newText) },
      path,
    );
    if (result.type === "refused") {
      const which = edits.length > 1 ? `Edit ${at + 1} of ${edits.length}: ` : "";
      const nothing = edits.length > 1 ? "\nNothing was changed." : "";
      return { type: "refused", problem: which + result.problem + nothing };
    }
    content = result.text;
    count += result.count;
    if (result.how !== "exact") how = result.how;
    line = Math.min(line ?? result.line, result.line);
  }
  return { type: "edited", text: inForm(content, form), count, how, line: line ?? 1 };
}

function applyEdit(text: string, edit: Edit, path: string): Edited {
  if (edit.oldText === "") return refuse("old_text must not be empty. Use write_file to create a file");
  if (edit.oldText === edit.newText) return refuse("old_text and new_text are the same: nothing to change");
  const { how, passages } = findInEndings(text, edit.oldText);
  const [first] = passages;
  if (first === undefined) return refuse(notFound(text, edit.oldText, path));
  if (passages.length > 1 && !edit.replaceAll) return refuse(ambiguous(text, passages, path));
  const chosen = withoutOverlaps(passages);
  const pieces = chosen.flatMap(({ start, end }, at) => [
    text.slice(chosen[at - 1]?.end ?? 0, start),
    replacement(text.slice(start, end), edit, how),
  ]);
  const rest = text.slice(chosen.at(-1)?.end ?? 0);
  return { type: "edited", text: pieces.join("") + rest, count: chosen.length, how, line: lineAt(text, first.start) };
}

/** A text with mixed endings may have the passage with the other ones. */
function findInEndings(text: string, wanted: string) {
  const found = findPassages(text, wanted);
  if (found.how === "exact" && found.passages.length > 0) return found;
  const other = text.includes("\r\n") ? findPassages(text, wanted.replaceAll("\n", "\r\n")) : found;
  return other.how === "exact" && other.passages.length > 0 ? other : found;
}

/** In the endings, and when lines were found without their whitespace in the indentation, of what it replaces. */
function replacement(replaced: string, edit: Edit, how: How): string {
  const text = how === "whitespace" ? reindent(edit, replaced) : edit.newText;
  return replaced.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

/** What the model wrote as one indentation and the file has as another is learned from the lines they share. */
function reindent({ oldText, newText }: Edit, replaced: string): string {
  const known = new Map<string, string>();
  const replacedLines = replaced.split("\n");
  for (const [at, line] of oldText.split("\n").entries()) {
    const actual = replacedLines[at];
    if (line.trim() !== "" && actual !== undefined && !known.has(indentOf(line)))
      known.set(indentOf(line), indentOf(actual));
  }
  const byLength = [...known].sort(([a], [b]) => b.length - a.length);
  const lines = newText.split("\n").map((line) => {
    if (line.trim() === "") return line;
    const [written, actual] = byLength.find(([indent]) => indentOf(line).startsWith(indent)) ?? ["", ""];
    return actual + line.slice(written.length);
  });
  return lines.join("\n");
}

function indentOf(line: string): string {
  return /^[\t ]*/.exec(line)?.[0] ?? "";
}

function withoutOverlaps(passages: readonly Passage[]): Passage[] {
  const chosen: Passage[] = [];
  for (const passage of passages) if (passage.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(passage);
  return chosen;
}

function plainEndings(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function refuse(problem: string): Edited {
  return { type: "refused", problem };
}

function ambiguous(text: string, passages: readonly Passage[], path: string): string {
  const lines = text.split("\n");
  const shown = passages.slice(0, SHOWN_MATCHES).map(({ start }) => {
    const line = lineAt(text, start);
    return `  line ${line}: ${firstLine(lines[line - 1] ?? "", LINE_CHARS)}`;
  });
  const more = passages.length > shown.length ? [`  … and ${passages.length - shown.length} more`] : [];
  const advice = "Add lines around it to old_text until it is unique, or set replace_all.";
  return [`Old text found ${passages.length} times in ${path}:`, ...shown, ...more, advice].join("\n");
}

function notFound(text: string, wanted: string, path: string): string {
  const closest = closestPassage(text, wanted);
  const message = `Old text not found in ${path}`;
  if (closest === undefined) return `${message}. Read the file again, and copy the text exactly.`;
  const { firstLine: first, lastLine: last, similarity } = closest;
  const shown = closest.text.slice(0, borderBefore(closest.text, SHOWN_CHARS));
  return `${message}\nMost similar: lines ${first}-${last} (${Math.round(similarity * 100)}% alike):\n${shown}`;
}
