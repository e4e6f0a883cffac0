// What `tmux capture-pane -e` writes, as rows of cells: which character, how wide, in which style. Pure.

export interface Cell {
  /** One character as a person counts them. */
  readonly text: string;
  readonly columns: 1 | 2;
  /** Words such as "bold cyan", "dim", "reverse", "#1e90ff", "on-red"; empty for plain text. */
  readonly style: string;
}

export type Row = readonly Cell[];

/** Neighbours in one style. */
export interface Run {
  readonly column: number;
  readonly columns: number;
  readonly text: string;
  readonly style: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences.
const SEQUENCE = /\u001b\[([0-9;:]*)m|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u000e\u000f]/g;

/** A style lasts from row to row until it is changed. */
export function parseScreen(captured: string): Row[] {
  const rows: Cell[][] = [[]];
  let pen = PLAIN;
  let from = 0;
  const write = (text: string): void => {
    const style = toWords(pen);
    for (const { segment } of characters.segment(text)) {
      if (segment === "\n") rows.push([]);
      else rows.at(-1)?.push({ text: segment, columns: WIDE.test(segment) ? 2 : 1, style });
    }
  };
  for (const match of captured.matchAll(SEQUENCE)) {
    write(captured.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[1] !== undefined) pen = turn(pen, match[1].split(/[;:]/).map(Number));
  }
  write(captured.slice(from));
  return withoutEnd(
    rows.map((row) => withoutEnd(row, isBlank)),
    (row) => row.length === 0,
  );
}

export function rowText(row: Row): string {
  return row.map(({ text }) => text).join("");
}

export function screenText(rows: readonly Row[]): string {
  return rows.map(rowText).join("\n");
}

export function toRuns(row: Row): Run[] {
  const runs: Run[] = [];
  let column = 0;
  for (const cell of row) {
    const last = runs.at(-1);
    if (last?.style === cell.style) {
      runs[runs.length - 1] = { ...last, text: last.text + cell.text, columns: last.columns + cell.columns };
    } else runs.push({ column, columns: cell.columns, text: cell.text, style: cell.style });
    column += cell.columns;
  }
  return runs;
}

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What terminals give two columns. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/u;

interface Pen {
  readonly marks: ReadonlySet<string>;
  readonly colour: string;
  readonly ground: string;
}

const PLAIN: Pen = { marks: new Set(), colour: "", ground: "" };
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const MARKS = new Map([
  [1, "bold"],
  [2, "dim"],
  [3, "italic"],
  [4, "underline"],
  [7, "reverse"],
  [9, "struck"],
]);
/** By which number it is taken back. */
const UNMARKS = new Map([
  [22, ["bold", "dim"]],
  [23, ["italic"]],
  [24, ["underline"]],
  [27, ["reverse"]],
  [29, ["struck"]],
]);

function turn(pen: Pen, codes: readonly number[]): Pen {
  const [code = 0, ...rest] = codes;
  const next = codes.length === 0 ? pen : turnOnce(pen, code, rest);
  const taken = code === 38 || code === 48 ? (rest[0] === 2 ? 4 : 2) : 0;
  return rest.length > taken ? turn(next, rest.slice(taken)) : next;
}

function turnOnce(pen: Pen, code: number, rest: readonly number[]): Pen {
  if (code === 0) return PLAIN;
  const mark = MARKS.get(code);
  if (mark !== undefined) return { ...pen, marks: new Set([...pen.marks, mark]) };
  const gone = UNMARKS.get(code);
  if (gone !== undefined) return { ...pen, marks: new Set([...pen.marks].filter((one) => !gone.includes(one))) };
  const colour = toColour(code % 10 === 9 ? undefined : code, rest);
  return isGround(code) ? { ...pen, ground: colour === "" ? "" : `on-${colour}` } : { ...pen, colour };
}

function isGround(code: number): boolean {
  return (code >= 40 && code <= 49) || code >= 100;
}

/** Nothing is the terminal's own colour. */
function toColour(code: number | undefined, [kind, ...rest]: readonly number[]): string {
  if (code === undefined) return "";
  if (code === 38 || code === 48) {
    if (kind === 2) return `#${rest.slice(0, 3).map(toHex).join("")}`;
    return (rest[0] ?? 0) < 16 ? paletteName(rest[0] ?? 0) : `colour-${rest[0]}`;
  }
  return paletteName((code % 10) + (code >= 90 ? 8 : 0));
}

function paletteName(index: number): string {
  const name = COLOURS[index % 8] ?? "";
  return index < 8 ? name : `bright-${name}`;
}

function toHex(value: number): string {
  return value.toString(16).padStart(2, "0");
}

function toWords({ marks, colour, ground }: Pen): string {
  return [...[...MARKS.values()].filter((mark) => marks.has(mark)), colour, ground]
    .filter((word) => word !== "")
    .join(" ");
}

function isBlank({ text, style }: Cell): boolean {
  return text === " " && !/reverse|on-|underline/.test(style);
}

function withoutEnd<T>(list: readonly T[], isEnd: (one: T) => boolean): T[] {
  let end = list.length;
  while (end > 0 && isEnd(list[end - 1] as T)) end--;
  return list.slice(0, end);
}
