import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { carryOver, fold } from "./look-alike.ts";

describe("what replaces a text that looks like another", () => {
  test.each([
    { actual: "say “hi” to all", old: 'say "hi" to all', fresh: 'say "ho" to all', result: "say “ho” to all" },
    { actual: "pages 10–12", old: "pages 10-12", fresh: "pages 10-14", result: "pages 10–14" },
    { actual: "it’s “new”", old: `it's "new"`, fresh: "gone", result: "gone" },
    { actual: "plain", old: "plain", fresh: "other", result: "other" },
    { actual: "wait… “x”", old: 'wait... "x"', fresh: 'wait.. "x"', result: 'wait.. "x"' },
    { actual: "not what was meant", old: "something", fresh: "else", result: "else" },
  ])("keeps the characters of what stays: $actual", ({ actual, old, fresh, result }) => {
    expect(carryOver(actual, old, fresh)).toBe(result);
  });

  test("always looks like what was wanted", () => {
    const character = fc.constantFrom(
      "a",
      " ",
      '"',
      "“",
      "”",
      "-",
      "–",
      "…",
      ".",
      "e\u0301",
      "é",
      "ﬁ",
      "\u00a0",
      "\u200b",
      "😀",
    );
    const phrase = fc.array(character, { maxLength: 10 }).map((characters) => characters.join(""));
    fc.assert(
      fc.property(phrase, phrase, phrase, phrase, (head, middle, tail, fresh) => {
        const actual = head + middle + tail;
        const old = fold(actual);
        const wanted = fold(head) + fresh + fold(tail);

        expect(fold(carryOver(actual, old, wanted))).toBe(fold(wanted));
      }),
      { numRuns: 1_000 },
    );
  });
});
