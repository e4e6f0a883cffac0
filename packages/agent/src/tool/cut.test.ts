import { expect, test } from "vitest";
import { firstLine } from "./cut.ts";

test.each([
  ["echo ok", 20, "echo ok"],
  [`echo ok${" ".repeat(200)}; touch x`, 20, "echo ok ; touch x"],
  ["one\ntwo", 20, "one…"],
  ["one\u2028two", 20, "one…"],
  ["a\u202eb\u001b[0m", 30, "a\\u202eb\\u001b[0m"],
  ["x".repeat(30), 20, `${"x".repeat(19)}…`],
])("the title of %j", (text, maxChars, title) => {
  expect(firstLine(text, maxChars)).toBe(title);
});
