// Replaces passages of a text. All edits or none; a passage that is not there, or is there more than once, is a problem
// that says where to look.

import { ambiguous, notFound } from "./edit-problem.ts";
import {
  createHaystack,
  type Found,
  type How as FoundHow,
  findExact,
  findPassages,
  type Haystack,
  type Passage,
} from "./find-passage.ts";
import { indentOf, indentUnitOf } from "./indentation.ts";
import { carryOver } from "./look-alike.ts";
import { rewriteLines } from "./rewrite-lines.ts";
import { lineNumberAt } from "./span.ts";
import { formOf, inForm, withoutForm } from "./text-form.ts";
import { readingsOf, type Texts } from "./undo-escapes.ts";

/** `unescaped`: found once escapes, line numbers or a fence were taken away. */
export type How = FoundHow | "unescaped";

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

/** Each edit sees the text the one before it left. Line endings and byte order mark stay as they are. */
export function editText(text: string, edits: readonly Edit[], path: string): Edited {
  const form = formOf(text);
  const before = withoutForm(text, form);
  let content = before;
  let count = 0;
  let how: How = "exact";
  let line: number | undefined;
  for (const [at, edit] of edits.entries()) {
    const plain = { ...edit, oldText: plainEndings(edit.oldText), newText: plainEndings(edit.newText) };
    const result = applyEdit(content, plain, path);
    if (result.type === "refused") {
      if (edits.length === 1) return result;
      const wasThere = before.includes(plain.oldText) && !content.includes(plain.oldText);
      const lost = wasThere ? "\nAn edit before it changed that text: each sees what the ones before it left." : "";
      const which = `Edit ${at + 1} of ${edits.length}`;
      return refuse(`${which}: ${result.problem}${lost}\nNothing was changed.`);
    }
    content = result.text;
    count += result.count;
    if (result.how !== "exact") how = result.how;
    line = Math.min(line ?? result.line, result.line);
  }
  return { type: "edited", text: inForm(content, form), count, how, line: line ?? 1 };
}

function applyEdit(text: string, edit: Edit, path: string): Edited {
  if (edit.oldText === "") {
    return refuse(
      "old_text must not be empty. Give the text to replace, or use write_file to create a file or to append to one",
    );
  }
  if (edit.oldText === edit.newText) return refuse("old_text and new_text are the same: nothing to change");
  const { how, passages, texts } = findReading(text, edit);
  if (passages.length === 0) return refuse(notFound(text, edit, path));
  const meant = edit.replaceAll ? passages : strictest(text, passages, texts.oldText);
  const [first] = meant;
  if (first === undefined || (meant.length > 1 && !edit.replaceAll)) return refuse(ambiguous(text, meant, path));
  const chosen = withoutOverlaps(meant);
  const textUnit = first.lines === undefined ? undefined : indentUnitOf(text);
  const replacements = chosen.map((passage) => replacement(text, passage, texts, textUnit));
  if (replacements.includes(undefined)) return refuse(notFound(text, edit, path));
  const pieces = chosen.flatMap(({ start }, at) => [text.slice(chosen[at - 1]?.end ?? 0, start), replacements[at]]);
  const edited = pieces.join("") + text.slice(chosen.at(-1)?.end ?? 0);
  if (edited === text) return refuse(`${path} already has new_text in that place: nothing to change`);
  return { type: "edited", text: edited, count: chosen.length, how, line: lineNumberAt(text, first.start) };
}

interface Reading {
  readonly how: How;
  readonly passages: readonly Passage[];
  /** As they are meant, when they were found. */
  readonly texts: Texts;
}

/** As it is written, then without what does not belong to the file. */
function findReading(text: string, edit: Texts): Reading {
  const haystack = createHaystack(text);
  const written = { ...findInEndings(haystack, edit.oldText), texts: edit };
  if (written.passages.length > 0) return written;
  for (const texts of readingsOf(edit)) {
    const found = findInEndings(haystack, texts.oldText);
    const how = found.how === "exact" ? "unescaped" : found.how;
    if (found.passages.length > 0 && texts.oldText !== texts.newText) return { ...found, how, texts };
  }
  return written;
}

/** A text with mixed endings may have the passage with the other ones. */
function findInEndings(haystack: Haystack, wanted: string): Found {
  const found = findPassages(haystack, wanted);
  if (found.how === "exact" && found.passages.length > 0) return found;
  const other = haystack.text.includes("\r\n") ? findExact(haystack.text, wanted.replaceAll("\n", "\r\n")) : [];
  return other.length > 0 ? { how: "exact", passages: other } : found;
}

/** Of passages that were found by their lines, the one that is indented as it was written, if there is just one. */
function strictest(text: string, passages: readonly Passage[], oldText: string): readonly Passage[] {
  if (passages.length < 2 || passages[0]?.lines === undefined) return passages;
  const wanted = relativeIndents(oldText.replace(/\n$/, "").split("\n"));
  const alike = passages.filter(
    ({ lines = [] }) => relativeIndents(lines.map((line) => text.slice(line?.start, line?.end))) === wanted,
  );
  return alike.length === 1 ? alike : passages;
}

function relativeIndents(lines: readonly string[]): string {
  const widths = lines.map((line) => (line.trim() === "" ? undefined : indentOf(line).length));
  const first = widths.find((width) => width !== undefined) ?? 0;
  return widths.map((width) => (width === undefined ? "" : width - first)).join();
}

/** In the endings, and as far as it was not copied to the letter in the indentation and the characters, of the file. */
function replacement(text: string, passage: Passage, texts: Texts, textUnit: string | undefined): string | undefined {
  if (passage.lines !== undefined) return rewriteLines(text, passage, texts, textUnit);
  const replaced = text.slice(passage.start, passage.end);
  const isExact = replaced.replaceAll("\r\n", "\n") === texts.oldText;
  const fresh = isExact ? texts.newText : carryOver(replaced, texts.oldText, texts.newText);
  return replaced.includes("\r\n") ? fresh.replace(/\r?\n/g, "\r\n") : fresh;
}

function withoutOverlaps(passages: readonly Passage[]): Passage[] {
  const chosen: Passage[] = [];
  for (const passage of passages) if (passage.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(passage);
  return chosen;
}

function plainEndings(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function refuse(problem: string): Edited {
  return { type: "refused", problem };
}
