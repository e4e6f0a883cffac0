// A part of a text.

/** From `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** 1-based. */
export function lineNumberAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
