// Markdown to lines. What has been rendered is kept in pieces, so that a long answer that grows by a word costs its last
// paragraph, not all of it.

import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { cleanText } from "./clean-text.ts";
import { fitAll } from "./lines.ts";
import type { Paint } from "./paint.ts";

export type RenderMarkdown = (text: string, width: number) => string[];

/** Pieces kept; the oldest are forgotten first. */
const MAX_PIECES = 500;

export function createMarkdown(paint: Paint): RenderMarkdown {
  const theme = toTheme(paint);
  const known = new Map<string, string[]>();
  return (text, width) => {
    const lines: string[] = [];
    const pieces = splitPieces(cleanText(text).trim());
    pieces.forEach((piece, at) => {
      if (at > 0) lines.push("");
      const key = `${width}:${piece}`;
      let rendered = known.get(key);
      if (rendered === undefined) {
        rendered = render(piece, width, theme);
        // The last piece is still growing.
        if (at < pieces.length - 1) keep(known, key, rendered);
      }
      for (const line of rendered) lines.push(line);
    });
    return lines;
  };
}

/**
 * Where one piece can be rendered without the next: at a blank line, outside of a fence, before a line that begins at
 * the margin and continues no list, quote or table.
 */
export function splitPieces(text: string): string[] {
  const pieces: string[] = [];
  let current: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isFree = fence === undefined && current.at(-1) === "" && /^[^\s\-*+>|\d]/.test(line);
    if (isFree) {
      pieces.push(current.join("\n").trimEnd());
      current = [];
    }
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
    }
    current.push(line);
  }
  pieces.push(current.join("\n").trimEnd());
  return pieces.filter((piece) => piece !== "");
}

function render(piece: string, width: number, theme: MarkdownTheme): string[] {
  const lines = new Markdown(piece, 0, 0, theme).render(Math.max(1, width)).map((line) => line.trimEnd());
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  return fitAll(lines, width);
}

function keep(known: Map<string, string[]>, key: string, lines: string[]): void {
  known.set(key, lines);
  if (known.size <= MAX_PIECES) return;
  const oldest = known.keys().next().value;
  if (oldest !== undefined) known.delete(oldest);
}

function toTheme(paint: Paint): MarkdownTheme {
  return {
    heading: (text) => paint.strong(paint.accent(text)),
    link: paint.underlined,
    linkUrl: paint.quiet,
    code: paint.code,
    codeBlock: (text) => text,
    codeBlockBorder: paint.quiet,
    quote: paint.slanted,
    quoteBorder: paint.quiet,
    hr: paint.quiet,
    listBullet: paint.accent,
    bold: paint.strong,
    italic: paint.slanted,
    strikethrough: paint.struck,
    underline: paint.underlined,
    codeBlockIndent: "  ",
  };
}
