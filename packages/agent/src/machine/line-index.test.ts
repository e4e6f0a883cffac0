import fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_BYTES, countNewlines, createLineIndex } from "./line-index.ts";

test("knows in which block a line begins, as far as it was scanned", () => {
  const index = createLineIndex();
  expect(index.find(1_000)).toEqual({ position: 0, lines: 0 });

  index.note(0, 0);
  index.note(BLOCK_BYTES, 100);
  index.note(2 * BLOCK_BYTES, 100);
  index.note(3 * BLOCK_BYTES, 250);
  index.note(5 * BLOCK_BYTES, 900);

  expect([0, 99, 100, 249, 250, 9_999].map((before) => index.find(before).position / BLOCK_BYTES)).toEqual([
    0, 0, 2, 2, 3, 3,
  ]);
});

test("counts line feeds wherever they are", () => {
  const bytes = fc.array(fc.constantFrom(0x0a, 0x0b, 0x8a, 0x00, 0x61, 0xff), { maxLength: 3_000 });
  fc.assert(
    fc.property(bytes, fc.nat(7), (bytes, offset) => {
      const buffer = Buffer.from(bytes).subarray(offset);

      expect(countNewlines(buffer)).toBe([...buffer].filter((byte) => byte === 0x0a).length);
    }),
  );
  expect(countNewlines(Buffer.alloc(BLOCK_BYTES, "\n"))).toBe(BLOCK_BYTES);
});
