import fc from "fast-check";
import { expect, test } from "vitest";
import { boundEvents, OverlongError } from "./event-bound.ts";

const bytes = (text: string) => Buffer.from(text);

test.each([["\n\n"], ["\r\n\r\n"]])("any number of events, cut anywhere, is as good as one (%j)", (end) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (sizes) => {
      const check = boundEvents(40);
      const text = `data: one${end}`.repeat(40);
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        check(bytes(text.slice(at, at + size)));
        at += size;
      }
    }),
  );
});

test.each([
  ["in one line", "x"],
  ["in many", "data: x\n"],
])("an event without an end is refused, %s", (_, piece) => {
  const check = boundEvents(1_000);
  expect(() => {
    for (let sent = 0; sent <= 1_000; sent += piece.length) check(bytes(piece));
  }).toThrow(OverlongError);
});

test("what is open counts from the last end", () => {
  const check = boundEvents(10);
  check(bytes(`${"x".repeat(500)}\n\n123456789`));
  expect(() => check(bytes("0!"))).toThrow(OverlongError);
});
