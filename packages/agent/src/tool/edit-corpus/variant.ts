// The same edits once more, with one imperfection more each that changes nothing about what must come of them.

import type { EditCase } from "./edit-case.ts";

type Variant = (base: EditCase) => EditCase | undefined;

export function variantsOf(base: EditCase): EditCase[] {
  return Object.entries(VARIANTS).flatMap(([name, variant]) => {
    const made = variant(base);
    return made === undefined || isSame(made, base) ? [] : [{ ...made, name: `${base.name}, ${name}` }];
  });
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  "in a file with CRLF": (base) =>
    hasOneEnding(base.text) ? inText(base, (text) => text.replaceAll("\n", "\r\n")) : undefined,
  "in a file with a mark": (base) =>
    base.text.startsWith("\uFEFF") ? undefined : inText(base, (text) => `\uFEFF${text}`),
  "below other code": (base) =>
    base.text.startsWith("\uFEFF") || base.text.includes("\r")
      ? undefined
      : inText(base, (text) => `// ~~~\n\n${text}`),
  "with CRLF in the passage": (base) => inPassage(base, (text) => text.replace(/\r?\n/g, "\r\n")),
  "with blanks at its line ends": withTrailingBlanks,
};

function isSame(a: EditCase, b: EditCase): boolean {
  return a.text === b.text && a.oldText === b.oldText && a.newText === b.newText;
}

function hasOneEnding(text: string): boolean {
  return !text.includes("\r");
}

function inText(base: EditCase, change: (text: string) => string): EditCase {
  return { ...base, text: change(base.text), result: base.result === "refused" ? "refused" : change(base.result) };
}

/** Unless that makes it what is in the file, to the letter. */
function withTrailingBlanks(base: EditCase): EditCase | undefined {
  if (!base.oldText.includes("\n") || /[\\`]/.test(base.oldText)) return undefined;
  const oldText = base.oldText.replace(/(?<=\S)\n/g, "  \n");
  return base.text.includes(oldText) || base.text.includes(base.oldText) ? undefined : { ...base, oldText };
}

function inPassage(base: EditCase, change: (text: string) => string): EditCase | undefined {
  if (!base.oldText.includes("\n")) return undefined;
  return { ...base, oldText: change(base.oldText), newText: change(base.newText) };
}
