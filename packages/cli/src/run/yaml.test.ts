import { describe, expect, test } from "vitest";
import { parseYaml } from "./yaml.ts";

test.each<[string, string, unknown]>([
  ["nothing", "", null],
  ["comments alone", "# a\n\n  # b\n", null],
  ["a map", "a: 1\nb: two words\nc:\n", { a: 1, b: "two words", c: null }],
  ["a document mark", "---\na: 1\n", { a: 1 }],
  [
    "plain values",
    "a: true\nb: null\nc: -1.5\nd: 1e3\ne: 007\nf: ~",
    { a: true, b: null, c: -1.5, d: 1000, e: "007", f: null },
  ],
  ["comments after values", "a: b # c\nd: 'e # f' # g\nh: x#y", { a: "b", d: "e # f", h: "x#y" }],
  ["quotes", `a: "b\\n\\"c\\""\nd: 'it''s'\n"e f": 1`, { a: 'b\n"c"', d: "it's", "e f": 1 }],
  ["a list", "- 1\n- b\n-\n", [1, "b", null]],
  ["a list in a map", "a:\n  - 1\n  - 2\nb: 3", { a: [1, 2], b: 3 }],
  ["a list as far left as its name", "a:\n- 1\n- 2\nb: 3", { a: [1, 2], b: 3 }],
  ["maps in a list", "- a: 1\n  b: 2\n-   c: 3\n    d:\n      - 4\n- e", [{ a: 1, b: 2 }, { c: 3, d: [4] }, "e"]],
  ["lists in a list", "- - 1\n  - 2\n- []", [[1, 2], []]],
  ["maps in maps", "a:\n  b:\n    c: 1\n  d: 2\ne: 3", { a: { b: { c: 1 }, d: 2 }, e: 3 }],
  [
    "brackets",
    'a: [1, "b, c", [d], {e: f}] # x\ng: {h: 1, "i": [2]}',
    { a: [1, "b, c", ["d"], { e: "f" }], g: { h: 1, i: [2] } },
  ],
  ["a block", "a: |\n  one\n    two\n\n  three\nb: 1", { a: "one\n  two\n\nthree\n", b: 1 }],
  ["a block without its end", "a: |-\n  one\n\n\nb: 1", { a: "one", b: 1 }],
  ["a block with all of its end", "a: |+\n  one\n\nb: 1", { a: "one\n\n", b: 1 }],
  ["a block with marks in it", "a: |\n  # no comment\n  - no: list\n", { a: "# no comment\n- no: list\n" }],
  ["a folded block", "a: >\n  one\n  two\n\n  three\n", { a: "one two\nthree\n" }],
  ["a block in a list", "- |\n  one\n- two", ["one\n", "two"]],
  ["carriage returns", "a: 1\r\nb: 2\r\n", { a: 1, b: 2 }],
  ["a text with a colon in it", "a: http://x.y\nb: 'c: d'", { a: "http://x.y", b: "c: d" }],
])("reads %s", (_, text, value) => {
  expect(parseYaml(text)).toEqual({ type: "value", value });
});

describe("refuses", () => {
  test.each<[string, string, string]>([
    ["tabs", "a:\n\tb: 1", "line 2: it is indented with a tab"],
    ["anchors", "a: &x 1", "line 1: a value cannot begin with &; put it in quotes"],
    ["aliases", "a: *x", "line 1: a value cannot begin with *; put it in quotes"],
    ["tags", "a: !!js/function x", "line 1: a value cannot begin with !; put it in quotes"],
    ["a name twice", "a: 1\na: 2", 'line 2: "a" is there twice'],
    ["the name of all objects", "__proto__: 1", "line 1: this name cannot be used"],
    ["a line that belongs nowhere", "a: 1\n  b: 2", "line 2: it does not belong to what is above it"],
    ["a text over two lines", "a: one\n  two", "line 2: it does not belong to what is above it"],
    ["an open quote", 'a: "b', 'line 1: a " is not closed on its line'],
    ["an open bracket", "a: [1, 2", "line 1: a [ is not closed on its line"],
    ["a colon in a plain text", "a: b: c", 'line 1: a text with ": " in it has to be in quotes'],
    ["a list after a map", "a: 1\n- b", "line 2: it does not belong to what is above it"],
  ])("%s", (_, text, problem) => {
    expect(parseYaml(text)).toEqual({ type: "refused", problem });
  });

  test("what is nested without end", () => {
    expect(parseYaml(`a: ${"[".repeat(1000)}`)).toEqual({ type: "refused", problem: "line 1: it is nested too deep" });
  });
});

test.each([
  ["blanks in a line", `prompt: a${" ".repeat(900_000)}b`],
  ["blanks in a line that is no name", `a: x\nb${" ".repeat(900_000)}c`],
  ["empty lines in a block", `prompt: |\n${"\n".repeat(900_000)}  b`],
  ["lists", `a: ${"[],".repeat(300_000)}`],
])("does not take long over many %s", (_, text) => {
  const begun = performance.now();
  parseYaml(text);
  // Minutes, where the time grows with the square of the length.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
