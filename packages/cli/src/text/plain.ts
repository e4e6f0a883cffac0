// Text that was written by somebody else, made fit for a terminal: it cannot move the cursor, change colours, or turn the
// direction of what stands beside it. Pure.

/**
 * Control sequences, operating system commands, strings for devices, and an escape with whatever follows it. What is opened
 * and never closed ends with its line.
 */
const ESCAPES = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    "\\u001b\\](?:[^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)|[^\\u0007\\u001b\\n]*)",
    "\\u001b[PX^_](?:[^\\u001b]*\\u001b\\\\|[^\\u001b\\n]*)",
    "\\u001b.?",
  ].join("|"),
  "gs",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Lines and tabs stay. */
export function toPlain(text: string): string {
  if (text.search(CONTROLS) < 0) return text;
  return overwritten(text.replace(ESCAPES, "")).replace(CONTROLS, "");
}

/** Tabs as blanks: where columns are counted. */
export function cleanText(text: string): string {
  return toPlain(text).replaceAll("\t", "    ");
}

/** One line of it, for titles; blanks inside a line stay. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/** One line of at most so many characters; an ellipsis says that there was more. */
export function toLine(text: string, maxCharacters: number): string {
  const line = toPlain(text.slice(0, 10 * maxCharacters + 1000))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

/** A carriage return alone begins its line anew, as progress bars do. */
function overwritten(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "")
    .join("\n");
}
