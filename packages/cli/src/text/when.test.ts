import { expect, test } from "vitest";
import { parseSpan, toAge, toSpan } from "./when.ts";

const HOUR = 3_600_000;

test.each<[string, number | undefined]>([
  ["90m", 1.5 * HOUR],
  ["12h", 12 * HOUR],
  ["30d", 720 * HOUR],
  ["2w", 336 * HOUR],
  ["30", undefined],
  ["-1d", undefined],
  ["1.5d", undefined],
  ["", undefined],
])("parseSpan(%j)", (text, ms) => {
  expect(parseSpan(text)).toBe(ms);
});

test.each([
  [0, "just now", "0.0 s"],
  [9_960, "just now", "10 s"],
  [59_000, "just now", "59 s"],
  [59_600, "just now", "1 min 0 s"],
  [185_000, "3m ago", "3 min 5 s"],
  [7_800_000, "2h ago", "2 h 10 min"],
  [50 * HOUR, "2d ago", "50 h 0 min"],
])("%i ms", (ms, age, span) => {
  expect([toAge(ms), toSpan(ms)]).toEqual([age, span]);
});
