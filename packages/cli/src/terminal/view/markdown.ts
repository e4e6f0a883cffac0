// Markdown to lines that fit. What a text that grows has for good is kept, so that a word more costs the last paragraph, the
// last item of a list or the last line of code, and not the whole answer.

import { cleanText } from "../../text/plain.ts";
import { codeLine, type Inside, languageOf } from "./code-line.ts";
import { fit, fitAll, indent, wrap } from "./lines.ts";
import { createBlockView } from "./markdown-block.ts";
import { BEGINNING, type Piece, type Place, splitPieces } from "./markdown-piece.ts";
import type { Paint } from "./paint.ts";

/** Never answers a line that is wider than asked for. */
export type RenderMarkdown = (text: string, width: number) => string[];

/** Lines, and what the next line of code needs to know. */
interface Drawing {
  readonly lines: string[];
  language: string;
  inside: Inside;
}

/** What was rendered last, as far as more text does not change it. */
interface Grown {
  readonly width: number;
  readonly drawing: Drawing;
  /** The text that is drawn. */
  done: string;
  /** Where what is not begins. */
  place: Place;
}

export function createMarkdown(paint: Paint): RenderMarkdown {
  const draw = createPen(paint);
  let grown: Grown | undefined;
  return (source, width) => {
    const text = cleanText(source).trim();
    if (grown?.width !== width || !text.startsWith(grown.done)) {
      grown = { width, drawing: { lines: [], language: "", inside: undefined }, done: "", place: BEGINNING };
    }
    const open = settle(grown, text, splitPieces(text, grown.place), draw);
    const drawing = { ...grown.drawing, lines: [...grown.drawing.lines] };
    for (const piece of open) draw(drawing, piece, width);
    const [first, ...others] = open;
    if (first !== undefined && others.length === 0) settleLines(grown, text, first, drawing.lines);
    const { lines } = drawing;
    const isCodeOpen = open.at(-1)?.type === "fence-begin" || open.at(-1)?.type === "code";
    if (isCodeOpen) lines.push(fit(paint.quiet("```"), width));
    return lines;
  };
}

type Pen = (drawing: Drawing, piece: Piece, width: number) => void;

/**
 * Draws for good what can no longer change, and answers the rest. A line that has not ended may yet become anything, so the
 * piece before a piece that begins with it is not over.
 */
function settle(grown: Grown, text: string, pieces: readonly Piece[], draw: Pen): readonly Piece[] {
  const lastLineAt = text.lastIndexOf("\n") + 1;
  const open = Math.max(
    0,
    pieces.findLastIndex(({ at }) => at < lastLineAt),
  );
  for (const piece of pieces.slice(0, open)) draw(grown.drawing, piece, grown.width);
  moveTo(grown, text, pieces[open] ?? grown.place);
  return pieces.slice(open);
}

/** Of a long paragraph, also its lines but the last. */
function settleLines(grown: Grown, text: string, piece: Piece, lines: readonly string[]): void {
  const settled = grown.drawing.lines;
  const begin = settled.length + (piece.isApart && settled.length > 0 ? 1 : 0);
  const rest = restOf(piece, lines.slice(begin));
  if (rest === undefined) return;
  for (const line of lines.slice(settled.length, -1)) settled.push(line);
  moveTo(grown, text, rest);
}

function moveTo(grown: Grown, text: string, place: Place): void {
  grown.place = place;
  grown.done = text.slice(0, place.at);
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

function createPen(paint: Paint): Pen {
  const blockView = createBlockView(paint);
  const linesOf = (drawing: Drawing, { type, text, isRest }: Piece, width: number): string[] => {
    switch (type) {
      case "fence-begin":
        drawing.language = languageOf(text.replace(/^[`~]+/, ""));
        drawing.inside = undefined;
        return [fit(paint.quiet(text.trim()), width)];
      case "fence-end":
        return [fit(paint.quiet(text.trim()), width)];
      case "code": {
        const code = codeLine(text.trimEnd(), drawing.language, drawing.inside, paint);
        drawing.inside = code.inside;
        return fitAll(indent(wrap(code.text, Math.max(1, width - 2)), text.trim() === "" ? "" : "  "), width);
      }
      case "block":
        return blockView(isRest ? escapeBlock(text) : text, width);
    }
  };
  return (drawing, piece, width) => {
    const more = linesOf(drawing, piece, width);
    if (piece.isApart && drawing.lines.length > 0) drawing.lines.push("");
    for (const line of more) drawing.lines.push(line);
  };
}

/** So that the rest of a paragraph is one, with whatever word it begins. */
function escapeBlock(text: string): string {
  return text.replace(/^[-+#>]/, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
}
