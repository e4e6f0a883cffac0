import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeDeltas } from "./merge-deltas.ts";
import type { Protocol } from "./provider.ts";

const chat = (delta: object) => ({ id: "c", choices: [{ index: 0, delta, finish_reason: null }] });
const claude = (delta: object) => ({ type: "content_block_delta", index: 0, delta });

/** One event of a stream that says this, somewhere. */
const WRITE: Record<Protocol, readonly ((text: string) => object)[]> = {
  chat: [
    (content) => chat({ content }),
    (content) => chat({ role: "assistant", content }),
    (reasoning_content) => chat({ reasoning_content }),
    (content) => chat({ content, reasoning_content: "same" }),
    (text) => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
    (text) => chat({ tool_calls: [{ index: 0, function: { name: "look", arguments: text } }] }),
  ],
  messages: [
    (text) => claude({ type: "text_delta", text }),
    (thinking) => claude({ type: "thinking_delta", thinking }),
    (partial_json) => claude({ type: "input_json_delta", partial_json }),
    () => ({ type: "ping" }),
  ],
  responses: [
    (delta) => ({
      type: "response.output_text.delta",
      sequence_number: count++,
      item_id: "m",
      delta,
      obfuscation: `x${count}`,
    }),
    (delta) => ({ type: "response.reasoning_summary_text.delta", item_id: "r", delta, sequence_number: count++ }),
    () => ({ type: "ping", sequence_number: count++ }),
  ],
  gemini: [
    (text) => ({ candidates: [{ content: { parts: [{ text }] } }], usageMetadata: { candidatesTokenCount: count++ } }),
    (text) => ({ candidates: [{ content: { parts: [{ thought: true, text }] } }] }),
    (text) => ({ candidates: [{ content: { parts: [{ text }, { functionCall: { name: "look", args: {} } }] } }] }),
  ],
};

let count = 0;

function merge(protocol: Protocol, wire: Buffer, cuts: readonly number[]): string {
  const receive = mergeDeltas(protocol);
  const edges = [0, ...[...cuts].map((cut) => cut % (wire.length + 1)).sort((a, b) => a - b), wire.length];
  const out = edges.slice(1).map((edge, at) => receive(wire.subarray(edges[at], edge)));
  return Buffer.concat(out).toString();
}

/** Neighbours of one kind joined: what a reader makes of a stream, however it is cut into events. */
function meaning(stream: string): string[][] {
  const kinds: string[][] = [];
  for (const event of stream.split("\n\n").filter((one) => one !== "")) {
    const value = JSON.parse(event.replace(/^(event: x\n)?data: /, ""));
    const said = value.choices?.[0].delta ?? value.candidates?.[0].content.parts[0] ?? value.delta ?? {};
    const delta = typeof said === "string" ? { text: said, type: value.type } : said;
    const call = delta.tool_calls?.[0]?.function;
    // The beginning of a call, and whatever says two things at once, counts by itself.
    const isAlone =
      call?.name !== undefined ||
      ("content" in delta && "reasoning_content" in delta) ||
      value.type === "ping" ||
      event.includes("functionCall");
    const words =
      call?.arguments ?? delta.content ?? delta.reasoning_content ?? delta.text ?? delta.thinking ?? delta.partial_json;
    const kind = `${Object.keys(delta)} ${delta.type} ${isAlone ? kinds.length : ""}`;
    const last = kinds.at(-1);
    if (last?.[0] === kind) last[1] += words ?? "";
    else kinds.push([kind, words ?? ""]);
  }
  return kinds;
}

test.each(Object.keys(WRITE) as Protocol[])("joins what came together and changes nothing else: %s", (protocol) => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom('"', "\\", '\\"', "\n\n", '"content":"', "é€😀"),
  );
  const event = fc.tuple(fc.nat(WRITE[protocol].length - 1), word);
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 20, maxLength: 300 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      (list, cuts) => {
        // The same kind several times in a row, as streams have it.
        const values = list.flatMap(([kind, text]) =>
          [text, `${text}.`, `.${text}.`].map((one) => WRITE[protocol][kind]?.(one)),
        );
        const stream = values.map((value) => `event: x\ndata: ${JSON.stringify(value)}\n\n`).join("");
        expect(meaning(merge(protocol, Buffer.from(stream), cuts))).toEqual(meaning(stream));
      },
    ),
    { numRuns: 100 },
  );
});

test("joins a backlog into pieces that still look like streaming", () => {
  const stream = Array.from(
    { length: 1_000 },
    (_, at) => `data: ${JSON.stringify(chat({ content: `${at} ` }))}\n\n`,
  ).join("");
  const merged = merge("chat", Buffer.from(stream), []);
  const pieces = merged.split("\n\n").length - 1;
  expect(pieces).toBeGreaterThan(5);
  expect(pieces).toBeLessThan(20);
});

test("keeps the last count", () => {
  const stream = Array.from(
    { length: 100 },
    (_, at) =>
      `data: ${JSON.stringify({ ...WRITE.gemini[0]?.("a"), at: 1, usageMetadata: { totalTokenCount: at } })}\n\n`,
  ).join("");
  const merged = merge("gemini", Buffer.from(stream), []);
  expect(merged).toBe(
    `data: ${JSON.stringify({ ...WRITE.gemini[0]?.("a".repeat(100)), at: 1, usageMetadata: { totalTokenCount: 99 } })}\n\n`,
  );
});

test("leaves small chunks as they are", () => {
  const stream = `data: ${JSON.stringify(chat({ content: "a" }))}\n\ndata: ${JSON.stringify(chat({ content: "b" }))}\n\n`;
  expect(merge("chat", Buffer.from(stream), [])).toBe(stream);
});
