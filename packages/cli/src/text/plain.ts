// Text that was written by somebody else, made fit for a terminal: it cannot move the cursor, change colours, or turn the
// direction of what stands beside it.

import { stripVTControlCharacters } from "node:util";

const CONTROL = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Lines and tabs stay. */
export function toPlain(text: string): string {
  return overwritten(stripVTControlCharacters(text)).replace(CONTROL, "");
}

/** A carriage return alone begins its line anew, as progress bars do. */
function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "")
    .join("\n");
}

/** One line of at most so many characters; an ellipsis says that there was more. */
export function toLine(text: string, maxCharacters: number): string {
  const line = toPlain(text.slice(0, 10 * maxCharacters + 1000))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
