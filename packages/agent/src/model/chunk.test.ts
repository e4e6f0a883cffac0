import fc from "fast-check";
import { expect, test } from "vitest";
import { toChunks } from "./chunk.ts";

test.each([
  { chunk: "word" as const, text: "two  words, and\nmore ", chunks: ["two  ", "words, ", "and\n", "more "] },
  { chunk: "word" as const, text: " leading", chunks: [" ", "leading"] },
  { chunk: "word" as const, text: "读取 a.txt 的内容", chunks: ["读取 ", "a.txt ", "的内", "容"] },
  { chunk: "whole" as const, text: "all of it", chunks: ["all of it"] },
  { chunk: 3, text: "abcdefg", chunks: ["abc", "def", "g"] },
  { chunk: 1, text: "a👍b", chunks: ["a", "👍", "b"] },
  { chunk: 0, text: "ab", chunks: ["a", "b"] },
  { chunk: Number.POSITIVE_INFINITY, text: "ab", chunks: ["ab"] },
  { chunk: "whole" as const, text: "", chunks: [] },
])("cuts $text by $chunk", ({ chunk, text, chunks }) => {
  expect(toChunks(text, chunk)).toEqual(chunks);
});

test("loses nothing and splits no character, whatever the text", () => {
  const chunk = fc.oneof(fc.constantFrom("word" as const, "whole" as const), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), chunk, (text, by) => {
      const chunks = toChunks(text, by);
      expect(chunks.join("")).toBe(text);
      expect(chunks.filter((piece) => piece === "" || /\p{Surrogate}/u.test(piece))).toEqual([]);
    }),
  );
});
