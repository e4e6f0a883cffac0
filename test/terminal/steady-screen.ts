// What differs from one run to the next, made the same: how long things took, which frame the spinner is at, ids, and the
// name of the temporary folder. Nothing moves by it, except that what stands left of a duration comes to its place.

import { type Cell, type Row, rowText } from "./styled-screen.ts";

/** Replaced by as many characters. */
const NAMES: readonly [RegExp, string][] = [
  [/[\u2800-\u28ff]/gu, "⠋"],
  [/(?<=sess_)[0-9a-f]{32}/g, "0123456789abcdef0123456789abcdef"],
  [/(?<=agentao-)\w{6}(?=\/)/g, "screen"],
];

/** At the end of a row, as in "thought for 3 s", or behind the spinner, as in "Working 12 s · Esc to stop". */
const DURATION = /(?: for)? ?\b(?:\d+ min )?\d+(?:\.\d)? ?s(?= *$|(?<=^⠋.*) )/;

export function steadyRow(row: Row): Row {
  return withoutDuration(NAMES.reduce<Row>((done, [name, word]) => rename(done, name, word), row));
}

function rename(row: Row, name: RegExp, word: string): Row {
  const text = rowText(row);
  const renamed = text.replace(name, word);
  if (renamed === text) return row;
  const places = offsets(row);
  return row.map((cell, at) => ({ ...cell, text: renamed.slice(places[at], (places[at] ?? 0) + cell.text.length) }));
}

function withoutDuration(row: Row): Row {
  const text = rowText(row);
  const found = DURATION.exec(text);
  if (found === null) return row;
  const places = offsets(row);
  const from = places.indexOf(found.index);
  const to = from + found[0].length;
  const [before, after] = [row.slice(0, from), row.slice(to)];
  // What stands at the right edge stays there.
  const gap = /^.*\S {2,}(?=\S)/.exec(rowText(before));
  const isAtEdge = gap !== null && after.length === 0;
  if (!isAtEdge) return after.length === 0 ? withoutBlanks(before) : [...before, ...after];
  const edge = places.indexOf(gap[0].length);
  const moved = Array.from({ length: to - from }, (): Cell => ({ text: " ", columns: 1, style: "" }));
  return withoutBlanks([...before.slice(0, edge), ...moved, ...before.slice(edge)]);
}

function withoutBlanks(row: Row): Row {
  const end = row.findLastIndex(({ text }) => text !== " ");
  return row.slice(0, end + 1);
}

/** Where each cell begins in the row's text. */
function offsets(row: Row): number[] {
  let offset = 0;
  return row.map(({ text }) => {
    offset += text.length;
    return offset - text.length;
  });
}
