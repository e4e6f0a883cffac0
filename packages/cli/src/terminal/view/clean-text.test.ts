import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanLine, cleanText } from "./clean-text.ts";

test.each([
  ["colours", "\u001b[31mred\u001b[0m", "red"],
  ["a title for the window", "\u001b]0;owned\u0007text", "text"],
  ["a clipboard", "\u001b]52;c;ZXZpbA==\u001b\\text", "text"],
  ["moves of the cursor", "one\u001b[2A\u001b[Ktwo", "onetwo"],
  ["a lone escape at the end", "text\u001b", "text"],
  ["an eight-bit introducer", "\u009b31mtext", "31mtext"],
  ["what a progress bar overwrites", "10%\r50%\r100%\ndone\r\n", "100%\ndone\n"],
  ["tabs", "a\tb", "a    b"],
  ["marks that turn the reading direction", "rm \u202esafe\u202c", "rm safe"],
  ["nothing else", "日本語 😀 é\nline", "日本語 😀 é\nline"],
])("takes away %s", (_, dirty, clean) => {
  expect(cleanText(dirty)).toBe(clean);
});

test("leaves no control character but the line feed, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const char of cleanText(text)) {
        const code = char.codePointAt(0) ?? 0;
        expect(code === 10 || (code >= 32 && !(code >= 127 && code < 160))).toBe(true);
      }
    }),
  );
});

test("makes one line of a title", () => {
  expect(cleanLine(" first\n  second\u001b[0m ")).toBe("first second");
});
