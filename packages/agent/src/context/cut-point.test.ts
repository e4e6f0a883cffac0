import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallId, MessageId } from "../id/id.ts";
import { toSummary } from "../journal/summary-message.ts";
import { type Message, text } from "../message/message.ts";
import { type CutPoint, findCutPoint } from "./cut-point.ts";
import { estimateTokens } from "./estimate.ts";

/** A prompt is `p`, a step `s` (a call and its result), words `w`, an aside `a`, an earlier summary `z`: 100 tokens each. */
const TOKENS = 100;

describe("a cut", () => {
  test.each<[string, string, number, Partial<CutPoint> | undefined]>([
    ["keeps the newest turns that fit", "pswpswpsw", 650, { through: "3" as MessageId, count: 4 }],
    ["keeps the newest turn where no other fits", "pswpswpsw", 310, { through: "6" as MessageId, count: 8 }],
    ["keeps a newest turn that is a little too large", "pwpsssw", 300, { through: "2" as MessageId, count: 2 }],
    ["is nowhere where everything fits", "pwpw", 1_000, undefined],
    ["is nowhere where only a summary stands before what stays", "zpwpw", 450, undefined],
    ["takes an earlier summary with it", "zpwpw", 210, { through: "3" as MessageId, count: 3 }],
    ["is nowhere in a turn that has only begun", "pss", 100, undefined],
    ["is nowhere in a conversation that has not begun", "", 100, undefined],
  ])("%s", (_, shape, keep, point) => {
    expect(findCutPoint(toMessages(shape), keep)).toEqual(point);
  });

  test.each<[string, string, number, { through: string; count: number; prompt: number }]>([
    ["keeps its newest steps", "psssss", 310, { through: "3", count: 5, prompt: 0 }],
    ["keeps two steps, however large", "psssss", 10, { through: "4", count: 7, prompt: 0 }],
    ["leaves what we said with the step it is about", "pssasas", 250, { through: "3", count: 5, prompt: 0 }],
    ["takes earlier turns with it", "pwpsssss", 210, { through: "6", count: 9, prompt: 2 }],
  ])("inside of a turn that is too large %s", (_, shape, keep, { through, count, prompt }) => {
    const messages = toMessages(shape);

    expect(findCutPoint(messages, keep)).toEqual({ through, count, prompt: messages[prompt] });
  });

  test("goes on where an earlier one ended inside of a turn that is over", () => {
    expect(findCutPoint(toMessages("zssss"), 210)).toEqual({ through: "3", count: 5 });
  });

  test("never parts a call from its result, names the last message before it, and keeps something", () => {
    const shape = fc.tuple(fc.constantFrom("", "z"), fc.array(fc.constantFrom(..."ppwsssa"), { maxLength: 20 }));
    fc.assert(
      fc.property(shape, fc.integer({ min: 0, max: 2_000 }), ([summary, units], keep) => {
        const messages = toMessages(summary + units.join(""));

        const point = findCutPoint(messages, keep);

        if (point === undefined) return;
        const { through, count } = point;
        expect(messages[count]?.role).not.toBe("result");
        expect(messages.slice(0, count).findLast((message) => message.role !== "result")).toMatchObject({
          id: through,
        });
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThan(messages.length);
      }),
      { numRuns: 500 },
    );
  });
});

function toMessages(shape: string): Message[] {
  return [...shape].flatMap((kind, at): Message[] => {
    const id = String(at + 1) as MessageId;
    switch (kind) {
      case "p":
        return [sized({ role: "user", id, parts: [] })];
      case "a":
        return [sized({ role: "user", id: `t:aside:${id}` as MessageId, parts: [] })];
      case "z":
        return [sized({ ...toSummary(id, ""), parts: [] })];
      case "w":
        return [sized({ role: "assistant", id, parts: [] })];
      default: {
        const callId = `c${id}` as CallId;
        const asked: Message = { role: "assistant", id, parts: [{ type: "call", callId, name: "", input: "" }] };
        const result: Message = { role: "result", callId, name: "", failed: false, parts: [] };
        return [asked, sized(result, TOKENS - estimateTokens([asked]))];
      }
    }
  });
}

function sized(message: Message, tokens = TOKENS): Message {
  return { ...message, parts: [text("x".repeat((tokens - 4) * 4))] } as Message;
}
