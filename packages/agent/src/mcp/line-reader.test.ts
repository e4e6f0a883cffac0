import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineReader } from "./line-reader.ts";

function read(chunks: readonly Uint8Array[], maxBytes: number): string[] {
  const lines: string[] = [];
  const reader = createLineReader(
    { line: (line) => lines.push(line), tooLong: () => lines.push("(too long)") },
    maxBytes,
  );
  for (const chunk of chunks) reader.read(chunk);
  reader.end();
  return lines;
}

test("any chunking gives the same lines", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ""));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 20 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(""));
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      expect(read(chunks, 1_000)).toEqual(lines);
    }),
  );
});

test("passes over a line that is too long, and reads the next", () => {
  const bytes = Buffer.from(`${"x".repeat(50)}\nshort\r\n${"y".repeat(11)}\nlast`);

  expect(read([bytes.subarray(0, 7), bytes.subarray(7)], 10)).toEqual(["(too long)", "short", "(too long)", "last"]);
});
