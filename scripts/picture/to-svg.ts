// A screen as a picture of a terminal window. Every character stands in its cell, whatever font it is drawn in: pieces of
// text carry their width, wide characters stand alone, lines of boxes are drawn as lines.

import { type Row, type Run, toRuns } from "../../test/terminal/styled-screen.ts";
import { boxPath, isBox, round } from "./box-path.ts";
import { colourOf, FRAME, GROUND, groundOf, PLAIN, QUIET } from "./palette.ts";

export interface PictureOptions {
  readonly columns: number;
  /** In the bar of the window. */
  readonly title: string;
}

const CELL = { width: 8.4, height: 20 };
const FONT_SIZE = 14;
/** A character's foot, below the top of its cell. */
const BASELINE = 15;
const MARGIN = 22;
const BAR_HEIGHT = 44;
const FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

export function toSvg(rows: readonly Row[], { columns, title }: PictureOptions): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = BAR_HEIGHT + rows.length * CELL.height + MARGIN;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${FONTS}" font-size="${FONT_SIZE}" fill="${PLAIN}">`,
    `<title>${toMarkup(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${GROUND}" stroke="${FRAME}"/>`,
    ...windowBar(width, title),
    `<g transform="translate(${MARGIN} ${BAR_HEIGHT})">`,
    ...rows.flatMap((row, at) => rowParts(row, at * CELL.height)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function windowBar(width: number, title: string): string[] {
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, at) => `<circle cx="${MARGIN + at * 20}" cy="21" r="6" fill="${fill}"/>`,
  );
  return [...dots, `<text x="${width / 2}" y="26" text-anchor="middle" fill="${QUIET}">${toMarkup(title)}</text>`];
}

function rowParts(row: Row, top: number): string[] {
  const grounds = toRuns(row).flatMap((run) => groundPart(run, top));
  return [...grounds, ...toPieces(row).map((piece) => (piece.type === "box" ? boxPart : textPart)(piece, top))];
}

function groundPart({ column, columns, style }: Run, top: number): string[] {
  const fill = groundOf(style);
  const [x, width] = [column, columns].map((count) => round(count * CELL.width));
  return fill === undefined
    ? []
    : [`<rect x="${x}" y="${top}" width="${width}" height="${CELL.height}" fill="${fill}"/>`];
}

function boxPart({ column, text, style }: Piece, top: number): string {
  const path = boxPath(text, { left: column * CELL.width, top, cell: CELL });
  return `<path d="${path}" stroke="${colourOf(style)}" fill="none"/>`;
}

function textPart({ column, columns, text, style }: Piece, top: number): string {
  const fill = colourOf(style);
  const looks = [
    ...(fill === PLAIN ? [] : [`fill="${fill}"`]),
    ...LOOKS.filter(([word]) => style.split(" ").includes(word)).map(([, look]) => look),
  ];
  const place = `x="${round(column * CELL.width)}" y="${top + BASELINE}" textLength="${round(columns * CELL.width)}"`;
  return `<text ${[place, ...looks].join(" ")}>${toMarkup(text)}</text>`;
}

const LOOKS: readonly (readonly [string, string])[] = [
  ["bold", 'font-weight="bold"'],
  ["italic", 'font-style="italic"'],
  ["underline", 'text-decoration="underline"'],
  ["struck", 'text-decoration="line-through"'],
];

interface Piece extends Run {
  readonly type: "text" | "wide" | "box";
}

/** What is drawn in one go: narrow characters in one style with single blanks between them, one wide one, a line. */
function toPieces(row: Row): Piece[] {
  const pieces: Piece[] = [];
  let column = 0;
  for (const { text, columns, style } of row) {
    const type = isBox(text) ? "box" : columns === 2 ? "wide" : "text";
    const last = pieces.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : column - last.column - last.columns;
    if (text === " ") {
      column++;
    } else {
      const goesOn = last?.type === type && type !== "wide" && last.style === style && gap <= (type === "text" ? 1 : 0);
      if (last !== undefined && goesOn) {
        const grown = { ...last, text: last.text + " ".repeat(gap) + text, columns: last.columns + gap + columns };
        pieces[pieces.length - 1] = grown;
      } else pieces.push({ type, column, columns, text, style });
      column += columns;
    }
  }
  return pieces;
}

function toMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
