import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallId, MessageId } from "../id/id.ts";
import { toSummary } from "../journal/summary-message.ts";
import { type Message, text } from "../message/message.ts";
import type { ModelRequest } from "../model/model.ts";
import { SUMMARY_MARK } from "../model/summary-mark.ts";
import { estimateRequest, estimateText } from "./estimate.ts";
import { askInPlace, askWithTranscript, toSummaryText } from "./summary.ts";

const WISH = { maxTokens: 4_000 };
const PROMPT: Message = { role: "user", id: "p" as MessageId, parts: [text("Fix the bug")] };
const REQUEST: ModelRequest = {
  system: "You are an agent.",
  messages: [PROMPT],
  tools: [{ name: "grep", description: "Find", inputSchema: {} }],
  thoughtLevel: "high",
  cacheKey: "key",
};

describe("in its place", () => {
  test("a summary is asked for with the session's own request and one more message", () => {
    const asked = askInPlace(REQUEST, WISH);

    expect({ ...asked, messages: asked.messages.slice(0, -1) }).toEqual(REQUEST);
    expect(asked.messages[0]).toBe(PROMPT);
    const said = saidIn(asked);
    expect(said.startsWith(SUMMARY_MARK)).toBe(true);
    expect(said).toContain("Do not call any tool");
    expect(said.match(/^\d\. [^:]+/gm)).toEqual([
      "1. Goal and requests",
      "2. Decisions and constraints",
      "3. Files",
      "4. Done and found",
      "5. Open tasks and plan",
      "6. Next step",
    ]);
    expect(said).toContain("stay under 2400 words");
    expect(said).not.toContain("above all");
  });

  test("the person's wish is part of it", () => {
    expect(saidIn(askInPlace(REQUEST, { ...WISH, focus: " the parser " }))).toContain(
      "The person wants this above all: the parser\n",
    );
  });
});

describe("a transcript", () => {
  test("tells in one message who said and did what, with long parts shortened", () => {
    const asked = askWithTranscript(
      [
        PROMPT,
        {
          role: "assistant",
          id: "m1" as MessageId,
          parts: [
            { type: "reasoning", text: "Hm." },
            text("I look."),
            { type: "call", callId: "c1" as CallId, name: "grep", input: '{"pattern":"bug"}' },
          ],
        },
        {
          role: "result",
          callId: "c1" as CallId,
          name: "grep",
          failed: true,
          parts: [text(`${"a".repeat(200)}${"b".repeat(500)}${"c".repeat(100)}`)],
        },
        { role: "user", id: "t:aside:1" as MessageId, parts: [text("It is Monday.")] },
      ],
      { ...WISH, focus: "the parser" },
      10_000,
    );

    expect(asked.tools).toEqual([]);
    expect(asked.messages).toHaveLength(1);
    const said = saidIn(asked);
    expect(said.startsWith(SUMMARY_MARK)).toBe(true);
    expect(said).toContain("above all: the parser");
    expect(said.slice(said.indexOf("<session>"))).toBe(
      [
        "<session>\nPerson: Fix the bug",
        'Assistant: I look.\nCall of grep: {"pattern":"bug"}',
        `Result of grep (failed): ${"a".repeat(200)} [… 500 characters …] ${"c".repeat(100)}\n</session>`,
      ].join("\n\n"),
    );
  });

  test("leaves out the oldest first, but not an earlier summary", () => {
    const messages = [toSummary("x", "It began well."), ...Array.from({ length: 50 }, (_, at) => long(`${at}`))];

    const said = saidIn(askWithTranscript(messages, WISH, 3_000));

    expect(said).toContain("It began well.");
    expect(said).toMatch(/\[… 4\d older messages left out …\]\n\nPerson: 4\d /);
    expect(said).toContain("Person: 49 ");
  });

  test("fits into what it is given", () => {
    const words = fc.string({ unit: "grapheme", maxLength: 5_000 });
    const anything = fc.array(
      words.map((said): Message => ({ ...PROMPT, parts: [text(said)] }) as Message),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(anything, fc.boolean(), fc.integer({ min: 1_000, max: 20_000 }), (messages, isSecond, max) => {
        const all = isSecond ? [toSummary("x", "y".repeat(40_000)), ...messages] : messages;

        expect(estimateRequest(askWithTranscript(all, WISH, max))).toBeLessThanOrEqual(max + 100);
      }),
    );
  });
});

describe("what is written down", () => {
  test("is the model's words, and the files that were touched, the newest last", () => {
    const messages = [
      ...step("c1", "read_file", { file_path: "a.ts" }),
      ...step("c2", "write_file", { file_path: "b.ts" }),
      ...step("c3", "replace", { path: "a.ts" }),
      ...step("c4", "read_file", { file_path: "b.ts" }),
      ...step("c5", "replace", { file_path: "denied.ts" }, { failed: true }),
      ...step("c6", "grep", { path: "c.ts" }),
      ...step("c7", "read_file", "no object"),
      ...step("c8", "read_file", { file_path: ["d.ts"] }),
    ];

    expect(toSummaryText("  All went well.\n", messages, 4_000)).toBe(
      "All went well.\n\nFiles that were touched, the newest last:\n- changed: a.ts\n- changed: b.ts",
    );
  });

  test("names at most twenty files, and those of an earlier summary", () => {
    const first = toSummaryText(
      "One.",
      [
        ...step("c1", "write_file", { file_path: "old.ts" }),
        ...step("c2", "read_file", { file_path: "odd - name.ts" }),
      ],
      4_000,
    );
    const more = (count: number) =>
      Array.from({ length: count }, (_, at) => step(`d${at}`, "read_file", { file_path: `${at}.ts` })).flat();

    const second = toSummaryText("Two.", [toSummary("x", first), ...more(3)], 4_000);
    const third = toSummaryText("Three.", [toSummary("y", second), ...more(30)], 4_000);

    expect(second.split("\n").slice(3)).toEqual([
      "- changed: old.ts",
      "- read: odd - name.ts",
      "- read: 0.ts",
      "- read: 1.ts",
      "- read: 2.ts",
    ]);
    expect(third.split("\n").slice(3)).toEqual(Array.from({ length: 20 }, (_, at) => `- read: ${at + 10}.ts`));
  });

  test("is bounded, and says so", () => {
    const said = toSummaryText("你".repeat(10_000), [], 4_000);

    expect(said).toBe(`${"你".repeat(4_000)}\n[… the rest of the summary was too long …]`);
    expect(toSummaryText("😀".repeat(5_001), [], 4_001)).toMatch(/^(?:😀){2000}\n\[/u);
    expect(estimateText(said)).toBeLessThan(4_050);
  });
});

function step(callId: string, name: string, input: unknown, { failed = false } = {}): Message[] {
  const id = callId as CallId;
  return [
    {
      role: "assistant",
      id: `of-${id}` as MessageId,
      parts: [{ type: "call", callId: id, name, input: JSON.stringify(input) }],
    },
    { role: "result", callId: id, name, failed, parts: [text("ok")] },
  ];
}

function long(name: string): Message {
  return { role: "user", id: name as MessageId, parts: [text(`${name} ${"x".repeat(1_000)}`)] };
}

function saidIn({ messages }: ModelRequest): string {
  const [part] = messages.at(-1)?.parts ?? [];
  return part?.type === "text" ? part.text : "";
}
