import type { SessionUpdate } from "@agentao/acp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitFields, fitUpdate } from "./frame-budget.ts";

const MAX_LINE_BYTES = 48 * 1024;

const lineOf = (update: SessionUpdate) =>
  Buffer.byteLength(
    JSON.stringify({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: `sess_${"0".repeat(32)}`, update },
    }),
  );

const longText = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 8000 }))
  .map(([unit, times]) => unit.repeat(times));

describe("text chunks", () => {
  test("are split so that every line fits and nothing is lost", () => {
    fc.assert(
      fc.property(longText, (text) => {
        const pieces = fitUpdate({
          sessionUpdate: "agent_message_chunk",
          messageId: "m",
          content: { type: "text", text },
        });
        expect(Math.max(...pieces.map(lineOf))).toBeLessThanOrEqual(MAX_LINE_BYTES);
        expect(pieces.map((piece) => (piece as { content: { text: string } }).content.text).join("")).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  test("that fit stay the same object", () => {
    const update: SessionUpdate = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "short" } };
    expect(fitUpdate(update)[0]).toBe(update);
  });

  test("are not cut inside a character", () => {
    const pieces = fitUpdate({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "😀".repeat(20_000) },
    });
    for (const piece of pieces) expect((piece as { content: { text: string } }).content.text).toMatch(/^(?:😀)+$/);
  });
});

describe("everything else", () => {
  test("fits, however large its input, content and diffs are", () => {
    fc.assert(
      fc.property(longText, longText, fc.integer({ min: 0, max: 400 }), (input, output, count) => {
        const [only, ...others] = fitUpdate({
          sessionUpdate: "tool_call",
          toolCallId: "c",
          title: "Write",
          rawInput: { content: input, list: Array.from({ length: count }, () => output.slice(0, 2000)) },
          content: [
            { type: "diff", path: "/f", oldText: input, newText: output },
            { type: "content", content: { type: "text", text: output } },
          ],
        });
        expect(others).toEqual([]);
        expect(lineOf(only as SessionUpdate)).toBeLessThanOrEqual(MAX_LINE_BYTES);
      }),
      { numRuns: 50 },
    );
  });

  test.each([60, 8_000, 100_000])("fits, however deep its input is: %i", (depth) => {
    const rawInput = { list: JSON.parse("[".repeat(depth) + "]".repeat(depth)) };

    const [only] = fitUpdate({ sessionUpdate: "tool_call", toolCallId: "c", title: "Deep", rawInput });

    const shown = JSON.stringify(only);
    expect(shown.includes("nested too deep")).toBe(depth > 64);
    expect(only).toMatchObject({ sessionUpdate: "tool_call", toolCallId: "c", title: "Deep" });
    expect(shown.length).toBeLessThan(500);
  });

  test("says what was left out", () => {
    const { text } = fitFields({ text: "a".repeat(100_000) });
    expect(text).toMatch(/^a+\n\[… \d+ characters left out …\]\na+$/);
  });

  test("names an image that is too large instead of breaking it", () => {
    const data = "A".repeat(100_000);
    const image: SessionUpdate = {
      sessionUpdate: "user_message_chunk",
      content: { type: "image", mimeType: "image/png", data },
    };
    expect(fitUpdate(image)).toEqual([
      {
        sessionUpdate: "user_message_chunk",
        content: { type: "text", text: "[image: image/png, 73 KB, too large to show here]" },
      },
    ]);
  });
});
