import { expect, test } from "vitest";
import { createTail, END_MARKS } from "./answer-end.ts";
import type { Protocol } from "./provider.ts";

function saysOver(protocol: Protocol, text: string, size = text.length): boolean {
  const tail = createTail(END_MARKS[protocol]);
  for (let at = 0; at < text.length; at += size) tail.add(Buffer.from(text.slice(at, at + size)));
  return tail.saysOver();
}

const rows: readonly (readonly [Protocol, string, boolean])[] = [
  ["chat", 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n', true],
  ["chat", 'data: {"choices": [{"finish_reason": "length"}]}\n\n', true],
  ["chat", "data: [DONE]\n\n", true],
  ["chat", 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":null}]}\n\n', false],
  ["chat", 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":""}]}\n\n', false],
  ["chat", `data: ${JSON.stringify({ content: '"finish_reason":"stop"\ndata: [DONE]' })}\n\n`, false],
  ["responses", 'data: {"type":"response.completed","response":{}}\n\n', true],
  ["responses", 'data: {"type":"response.output_text.delta","delta":"response.completed"}\n\n', false],
  ["messages", 'data: {"type":"message_stop"}\n\n', true],
  ["messages", 'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n', false],
  ["gemini", 'data: {"candidates":[{"finishReason":"STOP"}]}\n\n', true],
  ["gemini", 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n', true],
  ["gemini", 'data: {"candidates":[{}]}\n\n', false],
];

test.each(rows)("%s: %s is over: %s", (protocol, text, isOver) => {
  expect(saysOver(protocol, text)).toBe(isOver);
  expect(saysOver(protocol, text, 3)).toBe(isOver);
});

test("finds the mark before a long last event, and across the places where it looks", () => {
  const long = "x".repeat(300_000);
  expect(saysOver("responses", `data: {"type":"response.completed","output":"${long}"}\n\n`)).toBe(true);
  for (let shift = 0; shift < 60; shift++) {
    const text = `${"x".repeat(64 * 1024 - shift)}data: {"type":"message_stop"}\n\n${long}`;
    expect(saysOver("messages", text, 10_000)).toBe(true);
  }
});

test("asked twice, says the same", () => {
  const tail = createTail(END_MARKS.messages);
  tail.add(Buffer.from('{"type":"mess'));
  expect(tail.saysOver()).toBe(false);
  tail.add(Buffer.from('age_stop"}'));
  expect([tail.saysOver(), tail.saysOver()]).toEqual([true, true]);
});
