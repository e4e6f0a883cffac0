import fc from "fast-check";
import { expect, test } from "vitest";
import { createOutputTail } from "./output-tail.ts";

test("C-321 keeps the tail, cut at a character border, whatever the limit and the chunks", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "\n", "é", "€", "😀"), maxLength: 60 }),
      fc.integer({ min: 0, max: 80 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (text, limit, sizes) => {
        const tail = createOutputTail(limit);
        const source = tail.source();
        for (const chunk of chop(Buffer.from(text), sizes)) source.write(chunk);

        expect({ text: tail.text(), truncated: tail.truncated }).toEqual({
          text: lastCharacters(text, limit),
          truncated: Buffer.byteLength(text) > limit,
        });
      },
    ),
  );
});

test("C-321 reads any bytes as the decoder for the whole would, and never exceeds the limit", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 0, max: 100 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (bytes, limit, sizes) => {
        const tail = createOutputTail(limit);
        const source = tail.source();
        for (const chunk of chop(Buffer.from(bytes), sizes)) source.write(chunk);
        source.flush();

        expect(tail.text()).toBe(lastCharacters(Buffer.from(bytes).toString("utf8"), limit));
      },
    ),
  );
});

test("holds back an unfinished character until it is complete, or nothing more comes", () => {
  const euro = Buffer.from("€");
  const tail = createOutputTail(100);
  const source = tail.source();

  source.write(Buffer.concat([Buffer.from("a"), euro.subarray(0, 2)]));
  expect(tail.text()).toBe("a");
  source.write(euro.subarray(2));
  expect(tail.text()).toBe("a€");
  source.write(euro.subarray(0, 2));
  source.flush();
  expect(tail.text()).toBe("a€\uFFFD");
});

test("puts the halves of a character together though another source wrote in between", () => {
  const euro = Buffer.from("€");
  const tail = createOutputTail(100);
  const [one, other] = [tail.source(), tail.source()];

  one.write(euro.subarray(0, 1));
  other.write(Buffer.from("x"));
  one.write(euro.subarray(1));

  expect(tail.text()).toBe("x€");
});

test("keeps the right bytes through many rounds of the ring", () => {
  const tail = createOutputTail(10_000);
  const source = tail.source();
  for (let line = 0; line < 50_000; line++) source.write(Buffer.from(`${line}\n`));

  const whole = Array.from({ length: 50_000 }, (_, line) => `${line}\n`).join("");
  expect({ text: tail.text(), truncated: tail.truncated }).toEqual({ text: whole.slice(-10_000), truncated: true });
});

function* chop(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function lastCharacters(text: string, limitBytes: number): string {
  const characters = [...text];
  let bytes = 0;
  let from = characters.length;
  while (from > 0) {
    bytes += Buffer.byteLength(characters[from - 1] as string);
    if (bytes > limitBytes) break;
    from--;
  }
  return characters.slice(from).join("");
}
