// How a text becomes deltas. Put together again, they are the text; no character is ever split.

/** By words with the space behind them, not at all, or by so many characters. */
export type Chunk = "word" | "whole" | number;

/** Han text has no spaces: two characters count as a word. */
const WORD = /\p{Script=Han}{1,2}\s*|[^\s\p{Script=Han}]+\s*|\s+/gu;

export function toChunks(text: string, chunk: Chunk): readonly string[] {
  if (text === "") return [];
  if (chunk === "whole") return [text];
  if (chunk === "word") return text.match(WORD) ?? [];
  const size = Number.isFinite(chunk) ? Math.max(1, Math.floor(chunk)) : text.length;
  return text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
}
