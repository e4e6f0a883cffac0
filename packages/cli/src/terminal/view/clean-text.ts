// Text from elsewhere, safe to show: no escape codes, no control characters, nothing that reorders what is read.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|.?)/gs;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function cleanText(text: string): string {
  return overwrite(text.replaceAll("\r\n", "\n").replace(ESCAPES, "")).replaceAll("\t", "    ").replace(CONTROLS, "");
}

/** One line of it, for titles. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s*\n\s*/g, " ").trim();
}

/** A carriage return alone begins its line anew, as progress bars do. */
function overwrite(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "")
    .join("\n");
}
