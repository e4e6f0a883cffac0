// Where a `find` looks, and how much of what lies there it means.

import { type Field, literal, UNKNOWN } from "./field.ts";
import { placeOf } from "./place.ts";

/** Tests that make `find` mean only some of what lies in a place. */
const FILTER = /^-(i?name|i?path|i?wholename|i?regex|[acm]time|[acm]min|newer.*|empty|size|inum|samefile|i?lname)$/;

/** Where a `find` begins to look. */
export function findStarts(argv: readonly Field[]): readonly Field[] {
  const words = argv.slice(1);
  const first = words.findIndex((field) => !/^-([HLP]|O\d?|D)$/.test(field.shape));
  const rest = first < 0 ? [] : words.slice(first);
  const end = rest.findIndex((field) => /^(-.|\(|!|,)/.test(field.shape));
  const starts = end < 0 ? rest : rest.slice(0, end);
  return starts.length > 0 ? starts : [literal(".")];
}

export function isFiltered(argv: readonly Field[]): boolean {
  return argv.some((field, at) => FILTER.test(field.shape) && argv[at + 1]?.shape !== "*");
}

/** What is found below a filtered place is in it, but not it; in system folders that makes no difference. */
export function findPlaces(argv: readonly Field[], cwd: string | undefined): readonly Field[] {
  const starts = findStarts(argv);
  if (!isFiltered(argv)) return starts;
  return starts.map((start) => {
    const isSystem = placeOf(start, cwd)?.type === "system";
    return isSystem ? start : { shape: `${start.shape}/${UNKNOWN}`, sure: false };
  });
}
