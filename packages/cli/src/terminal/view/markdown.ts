// Markdown to lines that fit. What a text that grows has for good is kept, so that a word more costs the last paragraph, the
// last item of a list or the last line of code, and not the whole answer.

import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { cleanText } from "./clean-text.ts";
import { fit, fitAll, indent, wrap } from "./lines.ts";
import { BEGINNING, type Piece, type Place, splitPieces } from "./markdown-piece.ts";
import type { Paint } from "./paint.ts";

/** Never answers a line that is wider than asked for. */
export type RenderMarkdown = (text: string, width: number) => string[];

/** What was rendered last, as far as more text does not change it. */
interface Grown {
  readonly width: number;
  readonly lines: string[];
  /** The text of these lines. */
  done: string;
  place: Place;
}

export function createMarkdown(paint: Paint): RenderMarkdown {
  const render = createPieceView(paint);
  let grown: Grown | undefined;
  return (source, width) => {
    const text = cleanText(source).trim();
    if (grown?.width !== width || !text.startsWith(grown.done)) {
      grown = { width, lines: [], done: "", place: BEGINNING };
    }
    const pieces = splitPieces(text, grown.place);
    const [last, ...following] = settle(grown, text, pieces, render);
    const lines = [...grown.lines];
    if (last !== undefined) {
      const rendered = render(last, width);
      const rest = following.length === 0 ? restOf(last, rendered) : undefined;
      if (rest !== undefined) {
        append(grown.lines, last, rendered.slice(0, -1));
        grown.place = rest;
        grown.done = text.slice(0, rest.at);
      }
      append(lines, last, rendered);
    }
    for (const piece of following) append(lines, piece, render(piece, width));
    const isOpen = pieces.at(-1)?.type === "fence-begin" || pieces.at(-1)?.type === "code";
    if (isOpen) lines.push(fit(paint.quiet("```"), width));
    return lines;
  };
}

type PieceView = (piece: Piece, width: number) => string[];

/**
 * Renders for good what can no longer change, and answers the rest. A line that has not ended may yet become anything, so
 * the piece before a piece that begins with it is not over.
 */
function settle(grown: Grown, text: string, pieces: readonly Piece[], render: PieceView): readonly Piece[] {
  const lastLineAt = text.lastIndexOf("\n") + 1;
  const open = Math.max(
    0,
    pieces.findLastIndex(({ at }) => at < lastLineAt),
  );
  for (const piece of pieces.slice(0, open)) append(grown.lines, piece, render(piece, grown.width));
  const place = pieces[open];
  if (place !== undefined) {
    grown.place = place;
    grown.done = text.slice(0, place.at);
  }
  return pieces.slice(open);
}

function append(lines: string[], { isApart }: Piece, more: readonly string[]): void {
  if (isApart && lines.length > 0) lines.push("");
  for (const line of more) lines.push(line);
}

/** A paragraph longer than this is settled line by line. */
const LONG_CHARS = 1_000;
/** Neither the beginning of another block nor, after its first character, anything that later text gives a meaning to. */
const PLAIN = /^[^\s\-+#=>|<\d\\`*_[\]~&][^\\`*_[\]<>~|&\n]*$/;

/** Where the last line of a long plain paragraph begins: those above it stay as they are. */
function restOf({ type, text, at, isRest }: Piece, lines: readonly string[]): Place | undefined {
  const isPlain = type === "block" && text.length > LONG_CHARS && PLAIN.test(isRest ? `x${text.slice(1)}` : text);
  if (!isPlain) return undefined;
  let offset = 0;
  for (const line of lines.slice(0, -1)) {
    while (text[offset] === " ") offset++;
    if (!text.startsWith(line, offset)) return undefined;
    offset += line.length;
  }
  while (text[offset] === " ") offset++;
  return { at: at + offset, isApart: false, fence: undefined, isRest: true };
}

function createPieceView(paint: Paint): PieceView {
  const theme = toTheme(paint);
  return ({ type, text, isRest }, width) => {
    switch (type) {
      case "fence-begin":
      case "fence-end":
        return [fit(paint.quiet(text.trim()), width)];
      case "code":
        return fitAll(indent(wrap(text, Math.max(1, width - 2)), "  "), width).map((line) => line.trimEnd());
      case "block":
        return renderBlock(isRest ? escapeBlock(text) : text, width, theme);
    }
  };
}

/** So that the rest of a paragraph is one, with whatever word it begins. */
function escapeBlock(text: string): string {
  return text.replace(/^[-+#>]/, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
}

function renderBlock(text: string, width: number, theme: MarkdownTheme): string[] {
  const lines = new Markdown(text, 0, 0, theme).render(Math.max(1, width)).map((line) => line.trimEnd());
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  return fitAll(lines, width);
}

export function toTheme(paint: Paint): MarkdownTheme {
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
