import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallContent } from "../event/event.ts";
import { type ImagePart, text } from "../message/message.ts";
import { boundTold, MAX_TOLD_CHARS } from "./bound.ts";
import { boundContent, MAX_CONTENT_BYTES, MAX_TEXT_BYTES } from "./bound-content.ts";
import { headWithin, jsonBytes, tailWithin } from "./cut.ts";

const image: ImagePart = { type: "image", data: "AAAA", mimeType: "image/png" };

/** Long texts of short and long characters, escapes among them. */
const unit = fc.constantFrom("a", "é", "€", "😀", "\n", '"', "\u0001", "word ");
const long = fc
  .tuple(fc.array(unit, { minLength: 1, maxLength: 20 }), fc.nat({ max: 5_000 }))
  .map(([units, times]) => units.join("").repeat(times));

describe("what a model is told", () => {
  test("stays as it is while it is short", () => {
    const parts = [text("x".repeat(MAX_TOLD_CHARS)), image];

    expect(boundTold(parts)).toBe(parts);
  });

  test("keeps 8,000 characters of the beginning and the rest of the end, and says how many are missing", () => {
    const gap = "\n\n[… 60,080 characters left out here …]\n\n";

    expect(boundTold([text("h".repeat(50_000) + "t".repeat(50_000))])).toEqual([
      text("h".repeat(8_000) + gap + "t".repeat(31_920)),
    ]);
  });

  test("loses the middle of all texts together, and no image", () => {
    const parts = [text("a".repeat(6_000)), image, text("b".repeat(9_000)), text("c".repeat(60_000)), text("end")];

    const bounded = boundTold(parts);

    expect(
      bounded.map((part) => (part.type === "text" ? `${part.text.slice(0, 1)}${part.text.length}` : part)),
    ).toEqual([
      "a6000",
      image,
      `b${2_000 + "\n\n[… 35,083 characters left out here …]\n\n".length}`,
      `c${31_917}`,
      "e3",
    ]);
  });

  test("is never longer than the cap, and never cut inside of a character", () => {
    fc.assert(
      fc.property(fc.array(long, { maxLength: 4 }), (texts) => {
        const bounded = boundTold(texts.map(text)) as readonly { text: string }[];

        expect(bounded.reduce((sum, part) => sum + part.text.length, 0)).toBeLessThanOrEqual(MAX_TOLD_CHARS);
        expect(bounded.some((part) => /\p{Surrogate}/u.test(part.text))).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe("what a person sees", () => {
  test("stays as it is while it is short", () => {
    const content: CallContent[] = [text("output"), { type: "diff", path: "/a", oldText: "1", newText: "2" }, image];

    expect(boundContent(content)).toBe(content);
  });

  test("has texts without their middle, more of the end than of the beginning", () => {
    const [bounded] = boundContent([text("h".repeat(20_000) + "t".repeat(20_000))]) as readonly { text: string }[];

    expect(bounded?.text).toMatch(/^h{4076}\n\[… 23,696 characters left out …\]\nt{12228}$/);
    expect(jsonBytes(bounded?.text ?? "")).toBeLessThanOrEqual(MAX_TEXT_BYTES);
  });

  test("has of a large diff the lines that changed and some around them", () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}\n`);
    const changed = lines.with(9_999, "changed\n").toSpliced(10_000, 1);

    const [diff] = boundContent([{ type: "diff", path: "/a", oldText: lines.join(""), newText: changed.join("") }]);

    expect(diff).toEqual({
      type: "diff",
      path: "/a",
      oldText: lines.slice(9_979, 10_021).join(""),
      newText: [...lines.slice(9_979, 9_999), "changed\n", ...lines.slice(10_001, 10_021)].join(""),
    });
  });

  test("has of a large new file the beginning and the end", () => {
    const [diff] = boundContent([{ type: "diff", path: "/a", oldText: null, newText: "x".repeat(100_000) }]);

    expect(diff).toMatchObject({ type: "diff", path: "/a", oldText: null });
    expect((diff as { newText: string }).newText).toMatch(/^x+\n\[… [\d,]+ characters left out …\]\nx+$/);
  });

  test("names an image that is too large", () => {
    expect(boundContent([{ type: "image", mimeType: "image/png", data: "A".repeat(400_000) }])).toEqual([
      text("[image/png, 293 KB, too large to show here]"),
    ]);
  });

  test("says how many parts are missing", () => {
    const bounded = boundContent(Array.from({ length: 1_000 }, () => text("x".repeat(1_000))));

    expect(bounded.at(-1)).toEqual(text("[… 1000 more parts left out …]"));
  });

  test("never takes more than its share of a line, and is never cut inside of a character", () => {
    const part: fc.Arbitrary<CallContent> = fc.oneof(
      long.map(text),
      fc.record({
        type: fc.constant("diff" as const),
        path: fc.constant("/a"),
        oldText: fc.option(long),
        newText: long,
      }),
      long.map((data) => ({ type: "image" as const, mimeType: "image/png", data: data.replace(/[^a-z]/g, "A") })),
      fc.constant({ type: "terminal" as const, terminalId: "1" }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (content) => {
        const bounded = boundContent(content);

        expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
        expect(JSON.stringify(bounded).match(/\\ud[89a-f]/)).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});

describe("sizes", () => {
  const any = fc.string({ unit: "binary", maxLength: 50 });

  test("are what JSON takes in UTF-8, lone surrogates included", () => {
    fc.assert(
      fc.property(any, fc.constantFrom("", "\u007f", "\ud800", "\udc00", "\ud800\ud800"), (a, odd) => {
        expect(jsonBytes(a + odd + a)).toBe(Buffer.byteLength(JSON.stringify(a + odd + a)) - 2);
      }),
    );
  });

  test("hold for heads and tails, which are as long as can be", () => {
    fc.assert(
      fc.property(any, fc.nat({ max: 60 }), (whole, bytes) => {
        const [head, tail] = [headWithin(whole, bytes), tailWithin(whole, bytes)];

        expect(jsonBytes(whole.slice(0, head))).toBeLessThanOrEqual(bytes);
        expect(jsonBytes(whole.slice(tail))).toBeLessThanOrEqual(bytes);
        expect(head === whole.length || jsonBytes(whole.slice(0, head + 2)) > bytes).toBe(true);
        expect(tail === 0 || jsonBytes(whole.slice(Math.max(tail - 2, 0))) > bytes).toBe(true);
      }),
    );
  });
});
