import { expect, test } from "vitest";
import { formatOf } from "./export-session.ts";

test.each([
  ["a.md", "markdown"],
  ["a.MARKDOWN", "markdown"],
  ["a.b/c.json", "json"],
  ["a.htm", "html"],
  ["a.html", "html"],
  ["html", undefined],
])("%s is written as %s", (path, format) => {
  expect(formatOf(path)).toBe(format);
});
