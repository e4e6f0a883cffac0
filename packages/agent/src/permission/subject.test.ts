import { expect, test } from "vitest";
import { quoteAll } from "./subject.ts";

test.each([
  ["rm\n\tx", "`rm⏎x`"],
  ["rm   x", "`rm x`"],
  ["rm \u001b[2Kx\u202e\u2066", "`rm \\u001b[2Kx\\u202e\\u2066`"],
  ["a`b", "`a'b`"],
])("%j is written %s", (text, shown) => {
  expect(quoteAll([text])).toBe(shown);
});
