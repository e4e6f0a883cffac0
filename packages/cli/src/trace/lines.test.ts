import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, Lines } from "./lines.ts";

const text = (line: Line | undefined): string | undefined => line && Buffer.from(line.bytes).toString("latin1");

test("any way of cutting bytes into chunks gives the same lines and the same rest", () => {
  const bytes = fc
    .string({ unit: fc.constantFrom("a", "é", "\n", "\r", "{"), maxLength: 60 })
    .map((s) => Buffer.from(s));
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(60), { maxLength: 6 }), (whole, cuts) => {
      const once = new Lines();
      const expected = [once.take(whole).map(text), text(once.rest())];
      const lines = new Lines();
      const places = [0, ...cuts.filter((at) => at <= whole.length).sort((a, b) => a - b), whole.length];
      const taken = places.flatMap((from, i) =>
        i + 1 < places.length ? lines.take(whole.subarray(from, places[i + 1])) : [],
      );
      expect([taken.map(text), text(lines.rest())]).toEqual(expected);
    }),
  );
});

test("ends of lines are left out, in both styles", () => {
  const lines = new Lines();
  expect(lines.take(Buffer.from("a\r\n\nb\nc")).map(text)).toEqual(["a", "", "b"]);
  expect(text(lines.rest())).toBe("c");
  expect(lines.rest()).toBeUndefined();
});

test("of a line without end only the beginning is kept, and how long it was", () => {
  const lines = new Lines(2000);
  for (let i = 0; i < 100; i++) expect(lines.take(Buffer.alloc(100, 97))).toEqual([]);
  const [long, next] = lines.take(Buffer.from("\r\nb\n"));
  expect([long?.bytes.length, long?.size]).toEqual([1024, 10_001]);
  expect(next && [text(next), next.size]).toEqual(["b", 1]);
});
