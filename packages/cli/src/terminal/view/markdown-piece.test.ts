import fc from "fast-check";
import { expect, test } from "vitest";
import { splitPieces } from "./markdown-piece.ts";

test.each<[string, string, string[]]>([
  ["blocks", "# Title\n\ntext\nmore\n\n> quote\n\n**bold**", ["# Title", "+text\nmore", "+> quote", "+**bold**"]],
  ["items", "- a\n  - b\n\n- c\n* d", ["- a\n  - b", "- c", "* d"]],
  ["items of a list that interrupts a text", "Intro:\n- a\n- b", ["Intro:", "- a", "- b"]],
  ["no items that are counted otherwise", "1. a\n1. b\n3. c\n9. d", ["1. a\n1. b", "3. c\n9. d"]],
  ["lists of two kinds", "- a\n\n1. b\n2. c", ["- a", "+1. b", "2. c"]],
  ["no text that looks like an item", "a\n2. b\n-c", ["a\n2. b\n-c"]],
  ["no rule from what it underlines", "a\n- - -\nb", ["a\n- - -\nb"]],
  ["no tables and no quotes", "| a |\n|---|\n| b |\n> q\n- c", ["| a |\n|---|\n| b |\n> q\n- c"]],
  ["lines of code", "a\n```ts\nx\n\n- y\n```\nb", ["a", "+```ts", "x", "", "- y", "```", "+b"]],
  ["no code inside of an item", "- a\n  ```\n- b\n\nc\n  ```\n- d", ["- a\n  ```\n- b\n\nc\n  ```", "- d"]],
  ["not at marks of another kind", "~~~\n```\n~~~\nb", ["~~~", "```", "~~~", "+b"]],
  ["not at code in a line", "```a``` b\nc", ["```a``` b\nc"]],
])("cuts %s", (_, text, pieces) => {
  const found = splitPieces(text);
  expect(found.map((piece) => `${piece.isApart && piece.at > 0 ? "+" : ""}${piece.text}`)).toEqual(pieces);
});

test("goes on from any piece as if it had read everything", () => {
  const text = fc
    .array(fc.constantFrom("a", "- ", "1. ", "2. ", "\n", "\n", "\n\n", "  ", "```", "~~~", "> ", "| "))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (whole) => {
      const pieces = splitPieces(whole);
      for (const [at, piece] of pieces.entries()) expect(splitPieces(whole, piece)).toEqual(pieces.slice(at));
    }),
  );
});
