import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallId, MessageId } from "../id/id.ts";
import { type AssistantMessage, type ImagePart, type Message, text, type UserMessage } from "../message/message.ts";
import type { ModelRequest } from "../model/model.ts";
import { contextSize, estimateMessage, estimateRequest, estimateText, estimateTokens } from "./estimate.ts";

test.each([
  ["", 0],
  ["four", 1],
  ["fives", 2],
  ["你好世界", 4],
  ["こんにちは", 5],
  ["안녕", 2],
  ["привет", 3],
  ["😀", 2],
  ["ok 你好", 3],
])("%s is about %i tokens", (said, tokens) => {
  expect(estimateText(said)).toBe(tokens);
});

test("a longer text is never fewer tokens", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, other) => {
      expect(estimateText(one + other)).toBeGreaterThanOrEqual(estimateText(one));
    }),
  );
});

describe("an image", () => {
  test.each([
    ["a PNG by its size", png(1_000, 600), 800],
    ["a small PNG as the least", png(10, 10), 85],
    ["a large PNG as the most", png(4_000, 4_000), 1_600],
    ["a JPEG by its size, behind other segments", jpeg(750, 400), 400],
    ["a JPEG without a frame as the most", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]), 1_600],
    ["a PNG that ends in its header as the most", png(10, 10).slice(0, 16), 1_600],
    ["what is no base64 as the most", "iVBORw0KGgo!!!", 1_600],
    ["another format as the most", bytes([0x47, 0x49, 0x46, 0x38]), 1_600],
  ])("counts %s", (_, data, tokens) => {
    const image: ImagePart = { type: "image", data, mimeType: "image/png" };

    expect(estimateMessage({ ...user(""), parts: [image] })).toBe(4 + tokens);
  });

  test("of any bytes is counted without harm", () => {
    const data = fc.uint8Array({ maxLength: 200 }).map((tail) => bytes([0xff, 0xd8, 0xff, ...tail]));
    fc.assert(
      fc.property(data, (given) => {
        const tokens = estimateMessage({
          ...user(""),
          parts: [{ type: "image", data: given, mimeType: "image/jpeg" }],
        });
        expect(tokens).toBeGreaterThanOrEqual(85);
        expect(tokens).toBeLessThanOrEqual(1_604);
      }),
    );
  });
});

test("everything in a message counts", () => {
  const said: AssistantMessage = {
    role: "assistant",
    id: "m" as MessageId,
    parts: [
      text("12345678"),
      { type: "reasoning", text: "1234" },
      { type: "call", callId: "c" as CallId, name: "grep", input: '{"a":123}' },
    ],
  };
  const prompt: UserMessage = {
    ...user("1234"),
    parts: [
      text("1234"),
      { type: "link", uri: "abc", name: "name" },
      { type: "resource", uri: "abcd", text: "12345678" },
      { type: "resource", uri: "abcd", blob: "AAAA" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    ],
  };

  expect(estimateMessage(said)).toBe(4 + 2 + 1 + (8 + 1 + 3));
  expect(estimateMessage(prompt)).toBe(4 + 1 + 2 + (1 + 2) + (1 + 1_600) + 1_600);
  expect(estimateTokens([said, prompt])).toBe(estimateMessage(said) + estimateMessage(prompt));
});

test("a message is read once", () => {
  let reads = 0;
  const message: UserMessage = {
    ...user(""),
    get parts() {
      reads++;
      return [text("Hello")];
    },
  };

  const counts = [estimateTokens([message, message]), estimateTokens([message])];

  expect({ counts, reads }).toEqual({ counts: [12, 6], reads: 1 });
});

describe("a context", () => {
  const messages: Message[] = [user("a".repeat(400)), assistant("b".repeat(40)), user("c".repeat(80))];
  const request: ModelRequest = {
    system: "s".repeat(40),
    messages,
    tools: [{ name: "grep", description: "Find", inputSchema: { type: "object" } }],
  };

  test("without a count is estimated, with its system text and its tools", () => {
    expect(estimateRequest(request)).toBe(10 + (8 + 7) + (4 + 100) + (4 + 10) + (4 + 20));
    expect(contextSize(request)).toBe(estimateRequest(request));
  });

  test.each([
    ["its answer is part of the count", { tokens: 1_000, messages: 1 }, 1_000 + 24],
    ["everything is counted", { tokens: 1_000, messages: 3 }, 1_000],
    ["nothing was answered", { tokens: 1_000, messages: 2 }, 1_000 + 24],
    ["it was shortened since", { tokens: 1_000, messages: 4 }, 167],
  ])("with a count adds what came after it: %s", (_, count, tokens) => {
    expect(contextSize(request, count)).toBe(tokens);
  });
});

function user(said: string): UserMessage {
  return { role: "user", id: "u" as MessageId, parts: [text(said)] };
}

function assistant(said: string): AssistantMessage {
  return { role: "assistant", id: "a" as MessageId, parts: [text(said)] };
}

function bytes(values: readonly number[]): string {
  return btoa(String.fromCharCode(...values));
}

function png(width: number, height: number): string {
  const number = (value: number): number[] => [0, 0, value >> 8, value & 0xff];
  const start = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
  return bytes([...start, ...number(width), ...number(height), 8, 6, 0, 0, 0]);
}

function jpeg(width: number, height: number): string {
  const short = (value: number): number[] => [value >> 8, value & 0xff];
  const before = [0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4, 0xff, 0xc4, 0, 3, 0];
  return bytes([...before, 0xff, 0xc2, 0, 17, 8, ...short(height), ...short(width), 3, 1, 2, 3]);
}
