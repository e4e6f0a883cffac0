import fc from "fast-check";
import { expect, test } from "vitest";
import { countChanges, diffLines } from "./diff-lines.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

test("gives back both texts", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const kept = (dropped: string) =>
        lines
          .filter(({ type }) => type !== dropped)
          .map((line) => `${line.text}\n`)
          .join("");
      expect(kept("added")).toBe(before);
      expect(kept("removed")).toBe(after);
    }),
  );
});

test("finds the shortest way for a change in the middle, with the numbers of both sides", () => {
  expect(diffLines("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual([
    { type: "same", text: "a", oldLine: 1, newLine: 1 },
    { type: "removed", text: "b", oldLine: 2 },
    { type: "added", text: "B", newLine: 2 },
    { type: "same", text: "c", oldLine: 3, newLine: 3 },
    { type: "added", text: "d", newLine: 4 },
  ]);
});

test.each([
  ["a new file", null, "a\nb\n", { added: 2, removed: 0 }],
  ["an emptied file", "a\nb\n", "", { added: 0, removed: 2 }],
  ["no change", "a\n", "a\n", { added: 0, removed: 0 }],
])("counts %s", (_, before, after, counts) => {
  expect(countChanges(diffLines(before, after))).toEqual(counts);
});

test("does not look for the shortest way between texts that share nothing", () => {
  const before = Array.from({ length: 5_000 }, (_, at) => `old ${at}\n`).join("");
  const after = Array.from({ length: 5_000 }, (_, at) => `new ${at}\n`).join("");
  expect(countChanges(diffLines(before, after))).toEqual({ added: 5_000, removed: 5_000 });
});
