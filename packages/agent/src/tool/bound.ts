// Bounds what a model is told of one call: head and tail stay, and a line in between says what was left out.

import type { ImagePart, TextPart } from "../message/message.ts";
import { borderAfter, borderBefore } from "./cut.ts";

export { boundContent } from "./bound-content.ts";

export const MAX_TOLD_CHARS = 40_000;
const HEAD_CHARS = 8_000;
/** What the line in between may take. */
const GAP_CHARS = 80;

type Told = TextPart | ImagePart;

/** The same parts when they are short enough. Images pass. */
export function boundTold(parts: readonly Told[]): readonly Told[] {
  const all = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (all.length <= MAX_TOLD_CHARS) return parts;
  const headEnd = borderBefore(all, HEAD_CHARS);
  const tailStart = borderAfter(all, all.length - (MAX_TOLD_CHARS - HEAD_CHARS - GAP_CHARS));
  const left = (tailStart - headEnd).toLocaleString("en-US");
  return withoutMiddle(parts, headEnd, tailStart, `\n\n[… ${left} characters left out here …]\n\n`);
}

/** Positions count through all texts as if they were one. */
function withoutMiddle(parts: readonly Told[], headEnd: number, tailStart: number, gap: string): Told[] {
  let start = 0;
  return parts.flatMap((part): Told[] => {
    if (part.type !== "text") return [part];
    const from = start;
    start += part.text.length;
    const head = part.text.slice(0, Math.max(headEnd - from, 0));
    const tail = part.text.slice(Math.max(tailStart - from, 0));
    const isCut = from <= headEnd && headEnd < start;
    const text = from >= tailStart || start <= headEnd ? part.text : head + (isCut ? gap : "") + tail;
    return text === "" ? [] : [{ ...part, text }];
  });
}
