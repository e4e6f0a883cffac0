import { expect, test } from "vitest";
import { jsonHint } from "./json-hint.ts";

test.each([
  ['{"a": 1}', ""],
  ['{\n  // mine\n  "a": 1\n}', " JSON has no comments."],
  ['{"a": 1,\n}', " Take away the comma before it."],
  ['{"a": [1, 2,]}', " Take away the comma before it."],
  ['{"a": 1\n "b": 2}', " A comma or a colon is missing before it."],
  ['{"a" 1}', " A comma or a colon is missing before it."],
  ["{'a': 1}", " JSON has double quotes."],
  ["{a: 1}", " Names and texts stand in double quotes."],
  ['{"a": plan}', " Names and texts stand in double quotes."],
  ['{"a": 1', " It ends too early."],
])("%j:%s", (text, hint) => {
  expect(jsonHint(text)).toBe(hint);
});
