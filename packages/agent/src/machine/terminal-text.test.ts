import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText, createTerminalText } from "./terminal-text.ts";

const part = fc.oneof(
  fc.constantFrom(
    "\r",
    "\n",
    "\r\n",
    "\b",
    "\t",
    "\u001b[1;31m",
    "\u001b[2K",
    "\u001b]8;;http://x\u0007",
    "\u001b(B",
    "\u001b",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const output = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));

test("cleans the same however the output is chopped", () => {
  fc.assert(
    fc.property(output, fc.array(fc.nat({ max: 60 }), { maxLength: 6 }), (text, cuts) => {
      const cleaner = createTerminalText();
      const borders = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      const pieces = borders.slice(1).map((end, at) => cleaner.write(text.slice(borders[at], end)));

      expect(pieces.join("") + cleaner.end()).toBe(cleanText(text));
    }),
  );
});

test("leaves neither escape codes nor controls", () => {
  fc.assert(
    fc.property(output, (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
      expect(cleanText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    }),
  );
});

test("leaves text without any as it is", () => {
  expect(cleanText("one\n\ttwo – drei €\n\n")).toBe("one\n\ttwo – drei €\n\n");
});

test("holds no more than one line of what never ends", () => {
  const cleaner = createTerminalText();

  const written = Array.from({ length: 100 }, (_, at) => cleaner.write(`${at} ${"x".repeat(1_000)}\r`)).join("");
  const long = cleaner.write("y".repeat(200_000));

  expect(written).toBe("");
  expect(long.length).toBe(200_000);
});
