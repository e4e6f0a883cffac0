// Text to lines of a width, counted in columns as terminals count them.

import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { isUnspaced, wrapUnspaced } from "./unspaced.ts";

/** As many lines as it takes. Never wider than `width`, whatever is in the text. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return text
    .split("\n")
    .flatMap((line) => (isUnspaced(line) ? wrapUnspaced(line, room) : wrapTextWithAnsi(line, room)));
}

/** Every line begins with this; the first may begin with something else of the same width. */
export function indent(lines: readonly string[], margin: string, first: string = margin): string[] {
  return lines.map((line, at) => `${at === 0 ? first : margin}${line}`);
}

/** One line, shortened where it does not fit. */
export function fit(line: string, width: number): string {
  if (visibleWidth(line) <= width) return line;
  const cut = truncateToWidth(line, Math.max(0, width), width < 4 ? "" : "…");
  // The library puts resets around what it cuts, also where there is no colour.
  return line.includes("\u001b") ? cut : cut.replaceAll("\u001b[0m", "");
}

export function fitAll(lines: readonly string[], width: number): string[] {
  return lines.map((line) => fit(line, width));
}

/** Left and right in one line; the left gives way. */
export function spread(left: string, right: string, width: number): string {
  const room = width - visibleWidth(right) - 1;
  if (right === "" || room < 8) return fit(left, width);
  const shown = fit(left, room);
  return `${shown}${" ".repeat(Math.max(1, width - visibleWidth(shown) - visibleWidth(right)))}${right}`;
}

/** At most so many, with a line that says how many are missing. */
export function boundLines(lines: readonly string[], most: number, more: (missing: number) => string): string[] {
  if (lines.length <= most) return [...lines];
  const kept = Math.max(0, most - 1);
  return [...lines.slice(0, kept), more(lines.length - kept)];
}
