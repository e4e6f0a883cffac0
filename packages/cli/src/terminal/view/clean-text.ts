// Text from elsewhere, safe to show: no escape codes, no control characters, nothing that reorders what is read.

/** Control sequences, operating system commands, strings for devices, and an escape with whatever follows it. */
const ESCAPES = new RegExp(
  [
    "\\u001b\\[[0-?]*[ -/]*[@-~]",
    "\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?",
    "\\u001b[PX^_][^\\u001b]*(?:\\u001b\\\\)?",
    "\\u001b.?",
  ].join("|"),
  "gs",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What has none of these is safe as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

export function cleanText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return overwrite(text.replaceAll("\r\n", "\n").replace(ESCAPES, "")).replaceAll("\t", "    ").replace(CONTROLS, "");
}

/** One line of it, for titles. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

/** A carriage return alone begins its line anew, as progress bars do. */
function overwrite(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "")
    .join("\n");
}
