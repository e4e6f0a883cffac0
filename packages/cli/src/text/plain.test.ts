import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanLine, cleanText, toLine, toPlain } from "./plain.ts";

test.each([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["a title for the window", "\u001b]0;owned\u0007text", "text"],
  ["a clipboard", "\u001b]52;c;ZXZpbA==\u001b\\text", "text"],
  ["links", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["what is never closed, to the end of its line", "a\u001b]0;title\nb\u001bPq#0\nc", "a\nb\nc"],
  ["a picture of several lines", "a\u001bPq#0\n#1\u001b\\b", "ab"],
  ["moves of the cursor", "one\u001b[2A\u001b[Ktwo", "onetwo"],
  ["a lone escape at the end", "text\u001b", "text"],
  ["an eight-bit introducer", "\u009b31mtext", "text"],
  ["what a progress bar overwrites", "10%\r50%\r100%\r\ndone\r", "100%\ndone"],
  ["what is overwritten, and bare controls", "over\rwritten\u0008\u007f\u0000", "written"],
  ["marks that turn the reading direction", "rm \u202esafe\u202c\u2066", "rm safe"],
  ["nothing else", "日本語 😀 é\nline\ttab", "日本語 😀 é\nline\ttab"],
])("takes away %s", (_, dirty, clean) => {
  expect(toPlain(dirty)).toBe(clean);
});

test("leaves no control character but line feed and tab, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(toPlain(text)).toMatch(/^[\n\t\P{Cc}]*$/u);
    }),
  );
});

test("makes blanks of tabs where columns are counted", () => {
  expect(cleanText("a\tb\n")).toBe("a    b\n");
});

test("makes one line of a title", () => {
  expect(cleanLine(" first\n  second  word\u001b[0m ")).toBe("first second  word");
});

test("makes one line of so many characters", () => {
  expect(toLine("a\n  b\u001b[1mc", 10)).toBe("a bc");
  expect(toLine("🎉🎉🎉🎉", 3)).toBe("🎉🎉…");
});
