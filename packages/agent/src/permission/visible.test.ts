import { expect, test } from "vitest";
import { visible, visibleLine } from "./visible.ts";

test.each([
  ["npm test", "npm test"],
  ["a\u001b[2Kb", "a\\u001b[2Kb"],
  ["a\u202eb\u2066c", "a\\u202eb\\u2066c"],
  ["a\u200bb\ufeffc\u00add", "a\\u200bb\\ufeffc\\u00add"],
  ["a\u{e0041}", "a\\u{e0041}"],
  ["a\u009bb\u0000\u007f", "a\\u009bb\\u0000\\u007f"],
  ["é 漢 ✅ ❤️", "é 漢 ✅ ❤️"],
])("%j is shown as %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visibleLine(text)).toBe(shown);
});

test("lines and columns stay, but for one line", () => {
  expect(visible("a\n\tb")).toBe("a\n\tb");
  expect(visibleLine("a \r\n\tb \u2028 c  \t d")).toBe("a⏎b⏎c d");
});
