// Box characters as strokes: fonts leave gaps between them, lines do not.

/** Which of its sides a character reaches from its middle. */
const SIDES: Readonly<Record<string, string>> = {
  "─": "left right",
  "│": "up down",
  "┌": "right down",
  "┐": "left down",
  "└": "right up",
  "┘": "left up",
  "├": "right up down",
  "┤": "left up down",
  "┬": "left right down",
  "┴": "left right up",
  "┼": "left right up down",
  "╭": "right down",
  "╮": "left down",
  "╰": "right up",
  "╯": "left up",
};

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly cell: { readonly width: number; readonly height: number };
}

export function isBox(character: string): boolean {
  return SIDES[character] !== undefined;
}

/** Of neighbours that begin at a place. What is level is one stroke. */
export function boxPath(text: string, { left, top, cell }: Place): string {
  const middle = top + cell.height / 2;
  const level: { from: number; to: number }[] = [];
  let upright = "";
  [...text].forEach((character, at) => {
    const sides = SIDES[character] ?? "";
    const centre = left + (at + 0.5) * cell.width;
    const from = sides.includes("left") ? centre - cell.width / 2 : centre;
    const to = sides.includes("right") ? centre + cell.width / 2 : centre;
    const last = level.at(-1);
    if (last !== undefined && Math.abs(last.to - from) < 0.01) last.to = to;
    else if (from !== to) level.push({ from, to });
    const upper = sides.includes("up") ? top : middle;
    const lower = sides.includes("down") ? top + cell.height : middle;
    if (upper !== lower) upright += `M${round(centre)} ${round(upper)}V${round(lower)}`;
  });
  return level.map(({ from, to }) => `M${round(from)} ${round(middle)}H${round(to)}`).join("") + upright;
}

/** To a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
