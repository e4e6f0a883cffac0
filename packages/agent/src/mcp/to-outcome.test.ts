import { describe, expect, test } from "vitest";
import { MAX_RESULT_CHARS, toOutcome } from "./to-outcome.ts";

const outcome = (result: unknown) => toOutcome(result, (text) => text.replaceAll("hunter2", "[redacted]"));
const text = (text: string) => ({ type: "text", text });

describe("a result", () => {
  test.each([
    { name: "text", content: [text("a"), text("b")], want: [text("a"), text("b")] },
    {
      name: "an image",
      content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
      want: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
    },
    {
      name: "audio, as a note",
      content: [{ type: "audio", data: "A".repeat(4096), mimeType: "audio/wav" }],
      want: [text("[audio: audio/wav, 3 KB; it cannot be played here]")],
    },
    {
      name: "a link",
      content: [{ type: "resource_link", uri: "file:///a", name: "a", mimeType: "text/plain", description: "An a." }],
      want: [text("[a](file:///a) text/plain: An a.")],
    },
    {
      name: "a text that is enclosed",
      content: [{ type: "resource", resource: { uri: "file:///a", text: "inside" } }],
      want: [text("[file:///a]\ninside")],
    },
    {
      name: "an image that is enclosed",
      content: [{ type: "resource", resource: { uri: "file:///a.png", mimeType: "image/png", blob: "AAAA" } }],
      want: [{ type: "image", data: "AAAA", mimeType: "image/png", uri: "file:///a.png" }],
    },
    {
      name: "bytes that are enclosed, as a note",
      content: [
        { type: "resource", resource: { uri: "file:///a.zip", mimeType: "application/zip", blob: "A".repeat(2048) } },
      ],
      want: [text("[file:///a.zip: application/zip, 2 KB of binary data]")],
    },
    {
      name: "what nobody knows, as it is",
      content: [{ type: "hologram", x: 1 }],
      want: [text('{"type":"hologram","x":1}')],
    },
    {
      name: "an image that is none, as a note",
      content: [{ type: "image", data: 5 }],
      want: [text("[image: application/octet-stream, 0 KB; it cannot be shown]")],
    },
    { name: "no secrets", content: [text("it is hunter2")], want: [text("it is [redacted]")] },
  ])("holds $name", ({ content, want }) => {
    expect(outcome({ content })).toEqual({ failed: false, told: want });
  });

  test.each([
    {
      name: "is its structure where it has no content",
      result: { content: [], structuredContent: { a: 1 } },
      want: '{\n  "a": 1\n}',
    },
    {
      name: "is its content where it has both",
      result: { content: [text("a is 1")], structuredContent: { a: 1 } },
      want: "a is 1",
    },
    { name: "may be nothing", result: { content: [] }, want: "(no output)" },
    { name: "may be nonsense", result: null, want: "(no output)" },
  ])("$name", ({ result, want }) => {
    expect(outcome(result)).toEqual({ failed: false, told: [text(want)] });
  });

  test("that is an error is a failure", () => {
    expect(outcome({ isError: true, content: [text("no")] })).toEqual({ failed: true, told: [text("no")] });
  });

  test("is bounded, and says so", () => {
    const { told } = outcome({ content: [text("a".repeat(MAX_RESULT_CHARS - 1)), text("bcd"), text("e")] });

    expect(told.slice(1)).toEqual([
      text("b\n[… 2 more characters left out: results are kept up to 1 MB]"),
      text("\n[… 1 more characters left out: results are kept up to 1 MB]"),
    ]);
  });
});
