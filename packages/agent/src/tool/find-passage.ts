// Finds the passage a model means, though it may not have copied it to the letter: exactly, then line by line without the
// whitespace around, then with look-alike characters taken for each other.

export type How = "exact" | "whitespace" | "look-alike";

/** From `start` up to, not including, `end`. */
export interface Passage {
  readonly start: number;
  readonly end: number;
}

export interface Found {
  readonly how: How;
  /** In order; exact ones may overlap. Empty when nothing was found. */
  readonly passages: readonly Passage[];
}

/** Longer texts are searched to the letter only: the rest would take too long. */
const MAX_FOLDED_CHARS = 2 * 1024 * 1024;

export function findPassages(text: string, wanted: string): Found {
  const exact = findExact(text, wanted);
  if (exact.length > 0 || text.length > MAX_FOLDED_CHARS) return { how: "exact", passages: exact };
  const byLines = findLines(text, wanted, (line) => line.trim());
  if (byLines.length > 0) return { how: "whitespace", passages: byLines };
  if (isPlain(text) && isPlain(wanted)) return { how: "exact", passages: [] };
  const folded = findFolded(text, wanted);
  if (folded.length > 0) return { how: "look-alike", passages: folded };
  return { how: "look-alike", passages: findLines(text, wanted, (line) => fold(line).trim()) };
}

function findExact(text: string, wanted: string): Passage[] {
  const passages: Passage[] = [];
  for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + 1)) {
    passages.push({ start, end: start + wanted.length });
  }
  return passages;
}

/** Whole lines whose keys are those of the wanted ones. The last line's ending belongs to it only if it was wanted. */
function findLines(text: string, wanted: string, keyOf: (line: string) => string): Passage[] {
  const withEnding = wanted.endsWith("\n");
  const keys = (withEnding ? wanted.slice(0, -1) : wanted).split("\n").map(keyOf);
  if (keys.every((key) => key === "")) return [];
  const lines = text.split("\n");
  const lineKeys = lines.map(keyOf);
  const passages: Passage[] = [];
  let start = 0;
  for (let at = 0; at + keys.length <= lines.length; at++) {
    if (keys.every((key, offset) => key === lineKeys[at + offset])) {
      const end = lines.slice(at, at + keys.length).reduce((sum, line) => sum + line.length + 1, start) - 1;
      passages.push({ start, end: Math.min(withEnding ? end + 1 : endWithoutReturn(text, end), text.length) });
    }
    start += (lines[at] as string).length + 1;
  }
  return passages;
}

/** In texts with mixed endings the "\r" is part of the ending. */
function endWithoutReturn(text: string, end: number): number {
  return text[end - 1] === "\r" && text[end] === "\n" ? end - 1 : end;
}

/** Substrings of the folded text that begin and end where characters of the text do. */
function findFolded(text: string, wanted: string): Passage[] {
  const haystack = foldWithOrigins(text);
  const needle = fold(wanted);
  if (needle.trim() === "") return [];
  return findExact(haystack.folded, needle).flatMap(({ start, end }) => {
    const [from, to] = [haystack.origin[start] as number, haystack.origin[end] as number];
    const isWhole = haystack.origin[start - 1] !== from && haystack.origin[end - 1] !== to;
    return isWhole ? [{ start: from, end: to }] : [];
  });
}

function foldWithOrigins(text: string): { folded: string; origin: Uint32Array } {
  const pieces: string[] = [];
  const origins: number[] = [];
  // A stretch of plain characters, or one character with its marks.
  for (const { 0: unit, index } of text.matchAll(/[\t\n\r -~]+(?!\p{M})|\P{M}\p{M}*|\p{M}+/gsu)) {
    const piece = fold(unit);
    pieces.push(piece);
    for (let at = 0; at < piece.length; at++) origins.push(piece === unit ? index + at : index);
  }
  origins.push(text.length);
  return { folded: pieces.join(""), origin: Uint32Array.from(origins) };
}

/** What looks alike becomes alike: compatible forms, quotes, dashes, spaces; what cannot be seen is gone. */
function fold(text: string): string {
  if (isPlain(text)) return text;
  return text
    .normalize("NFKC")
    .replace(/[\u2018-\u201b\u2032\u00b4]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, "-")
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, "");
}

function isPlain(text: string): boolean {
  return /^[\t\n\r -~]*$/.test(text);
}
