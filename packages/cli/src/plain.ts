// Text that was written by somebody else, made fit for a terminal: it cannot move the cursor, change colours, or turn the
// direction of what stands beside it.

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][\s\S]*?(?:\u0007|\u001b\\|$)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Lines and tabs stay. */
export function toPlain(text: string): string {
  return text.replace(SEQUENCE, "").replace(/\r\n/g, "\n").replace(CONTROL, "");
}

/** One line of at most so many characters; an ellipsis says that there was more. */
export function toLine(text: string, maxCharacters: number): string {
  const line = toPlain(text.slice(0, 10 * maxCharacters + 1000))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
