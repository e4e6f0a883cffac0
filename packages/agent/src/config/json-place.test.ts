import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault } from "./json-place.ts";

test.each<[string, number, number]>([
  ["", 1, 1],
  ["{", 1, 2],
  ["{\n  a: 1\n}", 2, 3],
  ['{\n  "a": 1,\n}', 3, 1],
  ['{"a": 1 "b": 2}', 1, 9],
  ['{"a" 1}', 1, 6],
  ['{"a": }', 1, 7],
  ["[1, 2", 1, 6],
  ["[1, 2}", 1, 6],
  ["[,]", 1, 2],
  ["{} {}", 1, 4],
  ['{"a": tru}', 1, 7],
  ['{"a": 01}', 1, 7],
  ['{"a": "b\n"}', 1, 7],
  ['// a comment\n{"a": 1}', 1, 1],
  ["{'a': 1}", 1, 2],
])("%j stops being JSON at %i:%i", (text, line, column) => {
  expect(findJsonFault(text)).toEqual({ line, column });
});

test("JSON has no fault, and what is cut off has it at its end", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify({ ...value, last: 1 });
      expect(findJsonFault(text)).toBeUndefined();
      expect(findJsonFault(text.slice(0, -1))).toEqual({ line: 1, column: text.length });
    }),
  );
});
