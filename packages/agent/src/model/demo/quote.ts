// Somebody else's text inside our Markdown: fenced so that it cannot get out, and bounded.

const MAX_LINES = 20;
const MAX_CHARACTERS = 1_500;

/** `more` names the lines that were left out. */
export function quote(text: string, more: (lines: number) => string): string {
  const lines = text.trimEnd().split("\n");
  const kept: string[] = [];
  let characters = 0;
  for (const line of lines.slice(0, MAX_LINES)) {
    const room = MAX_CHARACTERS - characters;
    if (room <= 0) break;
    kept.push(line.length > room ? `${wellFormed(line.slice(0, room))}…` : line);
    characters += line.length + 1;
  }
  const dropped = lines.length - kept.length;
  const fence = longerFence(kept.join("\n"), 3);
  return [fence, ...kept, fence, ...(dropped > 0 ? [more(dropped)] : [])].join("\n");
}

const MAX_INLINE_CHARACTERS = 200;

/** For a sentence: one line, and not a long one. */
export function inline(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > MAX_INLINE_CHARACTERS ? `${wellFormed(line.slice(0, MAX_INLINE_CHARACTERS))}…` : line;
}

/** The same in code marks. */
export function code(text: string): string {
  const line = inline(text);
  return line.includes("`") ? `${longerFence(line, 2)} ${line} ${longerFence(line, 2)}` : `\`${line}\``;
}

/** A fence longer than any in the text cannot be closed by it. */
function longerFence(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), least));
}

/** A cut may have left half a character. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
