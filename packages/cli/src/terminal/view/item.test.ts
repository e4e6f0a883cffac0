import type { ToolCallItem, TranscriptItem } from "@agentao/acp";
import { getCapabilities, resetCapabilitiesCache, setCapabilities, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { itemView } from "./item.ts";
import { createMarkdown } from "./markdown.ts";
import { createPaint } from "./paint.ts";
import type { Span, ViewRoom } from "./room.ts";

function room(width: number, opens = { thoughts: false, calls: false }, colour = false): ViewRoom {
  const paint = createPaint(colour);
  return { width, paint, markdown: createMarkdown(paint), cwd: "/w", opens };
}

const OPEN = { thoughts: true, calls: true };

function message(from: "user" | "agent" | "thought", text: string): TranscriptItem {
  return { type: "message", from, messageId: undefined, content: [{ type: "text", text }] };
}

function call(change: Partial<ToolCallItem> = {}): ToolCallItem {
  return {
    type: "tool-call",
    toolCallId: "c1",
    title: "Edit /w/src/a.ts",
    name: "replace",
    kind: "edit",
    status: "completed",
    content: [{ type: "diff", path: "/w/src/a.ts", oldText: "a\nb\n", newText: "a\nB\n" }],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    ...change,
  };
}

const took = (ms: number): Span => ({ type: "took", ms });

describe("shows", () => {
  test.each<[string, TranscriptItem, Span, ViewRoom, string[]]>([
    ["what was typed", message("user", "hi\nthere"), undefined, room(40), ["❯ hi", "  there"]],
    [
      "wide characters in 12 columns",
      message("user", "日本語テキスト"),
      undefined,
      room(12),
      ["❯ 日本語テキ", "  スト"],
    ],
    [
      "an answer in Markdown",
      message("agent", "# Title\n\nSome **bold** `code`.\n\n- one\n- two"),
      undefined,
      room(40),
      ["Title", "", "Some bold code.", "", "- one", "- two"],
    ],
    ["a thought, closed", message("thought", "hmm"), took(3_000), room(40), ["∴ thought for 3.0 s"]],
    ["a thought that goes on", message("thought", "hmm"), { type: "running" }, room(40), ["∴ thinking…"]],
    ["a thought nobody timed", message("thought", "hmm"), undefined, room(40), ["∴ thought"]],
    [
      "a thought, open",
      message("thought", "**hmm**\nwell"),
      took(12_300),
      room(40, OPEN),
      ["∴ thought for 12 s", "  hmm", "  well"],
    ],
    [
      "a warning, wrapped",
      { type: "notice", severity: "warning", title: "The disk is nearly full", description: undefined },
      undefined,
      room(16),
      ["! The disk is", "  nearly full"],
    ],
    [
      "a summary, open",
      {
        type: "compaction",
        compactionId: "k",
        status: "completed",
        summary: [{ type: "text", text: "So far." }],
        error: undefined,
      },
      undefined,
      room(80, OPEN),
      ["· The conversation so far was summed up; the model goes on from the summary.", "  So far."],
    ],
    [
      "a link by the name it was typed with",
      {
        type: "message",
        from: "user",
        messageId: undefined,
        content: [
          { type: "text", text: "read " },
          { type: "resource_link", uri: "file:///w/src/a%20b.ts", name: "a b.ts" },
        ],
      },
      undefined,
      room(40),
      ["❯ read @src/a b.ts"],
    ],
    [
      "a picture by the path it was named with, and one that has none",
      {
        type: "message",
        from: "user",
        messageId: undefined,
        content: [
          { type: "text", text: "see " },
          { type: "image", data: "", mimeType: "image/png", uri: "file:///w/a.png" },
          { type: "image", data: "", mimeType: "image/png" },
        ],
      },
      undefined,
      room(40),
      ["❯ see @a.png [image image/png]"],
    ],
    [
      "by what a turn has failed, as a failure",
      { ...message("agent", "Error: The key was not accepted."), messageId: "turn_1_error" } as TranscriptItem,
      undefined,
      room(40),
      ["✗ The key was not accepted."],
    ],
    [
      "an answer that begins like a failure as an answer",
      { ...message("agent", "Error: 1 is not 2"), messageId: "msg_1" } as TranscriptItem,
      undefined,
      room(40),
      ["Error: 1 is not 2"],
    ],
    [
      "nothing of what it does not know",
      { type: "unknown", update: { sessionUpdate: "x" } } as never,
      undefined,
      room(40),
      [],
    ],
  ])("%s", (_, item, span, where, lines) => {
    expect(itemView(item, span, where)).toEqual(lines);
  });
});

test("shows the same words with and without colour", () => {
  const item = message("agent", "Some **bold** and `code`\n\n> quote");
  const coloured = itemView(item, undefined, room(40, OPEN, true));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
  const bare = coloured.map((line) => line.replace(/\u001b\[[\d;]*m/g, ""));
  expect(coloured.join("")).toContain("\u001b[1m");
  expect(bare).toEqual(itemView(item, undefined, room(40, OPEN)));
  expect(itemView(item, undefined, room(40, OPEN)).join("")).not.toContain("\u001b");
});

test("shows no more of a link in a thought than its words, where the terminal can open links", () => {
  setCapabilities({ ...getCapabilities(), hyperlinks: true });
  try {
    const item = message("thought", "see [the page](https://example.com/?a=(1),b) now");
    expect(itemView(item, undefined, room(40, OPEN))).toEqual(["∴ thought", "  see the page now"]);
  } finally {
    resetCapabilitiesCache();
  }
});

test("shortens what was pasted until it is opened", () => {
  const item = message("user", Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n"));
  expect(itemView(item, undefined, room(40)).slice(-2)).toEqual(["  line 10", "  … 39 more lines"]);
  expect(itemView(item, undefined, room(40, OPEN))).toHaveLength(50);
});

test("never makes a line wider than the screen, whatever is said", () => {
  const text = fc.string({
    unit: fc.constantFrom(
      ..."a \n日😀\t`*|-#>~\r\u200dש",
      ...["👩‍👩‍👧", "🇩🇪", "❤️", "e\u0301", "\u001b[31m", "\n- ", "\n1. ", "\n```\n", "\n|a|b|\n|-|-|\n", "[a](b://c)"],
    ),
  });
  const item = fc.oneof(
    text.map((said) => message("user", said)),
    text.map((said) => message("agent", said)),
    text.map((said) => message("thought", said)),
    text.map((said) =>
      call({ title: said, status: "failed", content: [{ type: "content", content: { type: "text", text: said } }] }),
    ),
    fc
      .tuple(text, text)
      .map(([oldText, newText]) => call({ content: [{ type: "diff", path: "/w/a", oldText, newText }] })),
  );
  fc.assert(
    fc.property(item, fc.integer({ min: 1, max: 60 }), fc.boolean(), (one, width, isOpen) => {
      const lines = itemView(one, took(1_000), room(width, { thoughts: isOpen, calls: isOpen }));
      for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});
