import fc from "fast-check";
import { expect, test } from "vitest";
import { hunksOf } from "./line-hunk.ts";

test("tells what stays, what goes and what comes", () => {
  expect(hunksOf(["a", "b", "c"], ["a", "x", "y", "c", "d"])).toEqual([
    { isSame: true, oldStart: 0, oldEnd: 1, freshStart: 0, freshEnd: 1 },
    { isSame: false, oldStart: 1, oldEnd: 2, freshStart: 1, freshEnd: 3 },
    { isSame: true, oldStart: 2, oldEnd: 3, freshStart: 3, freshEnd: 4 },
    { isSame: false, oldStart: 3, oldEnd: 3, freshStart: 4, freshEnd: 5 },
  ]);
});

test("for any lines, all of both are there once and in order, and what is the same is the same", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (old, fresh) => {
      const hunks = hunksOf(old, fresh);

      expect(hunks.flatMap(({ oldStart, oldEnd }) => old.slice(oldStart, oldEnd))).toEqual(old);
      expect(hunks.flatMap(({ freshStart, freshEnd }) => fresh.slice(freshStart, freshEnd))).toEqual(fresh);
      for (const { isSame, oldStart, oldEnd, freshStart, freshEnd } of hunks) {
        if (isSame) expect(old.slice(oldStart, oldEnd)).toEqual(fresh.slice(freshStart, freshEnd));
      }
    }),
  );
});
