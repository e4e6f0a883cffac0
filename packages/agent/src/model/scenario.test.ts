import { describe, expect, test } from "vitest";
import { fault } from "../fault/fault.ts";
import { parseScenario } from "./scenario.ts";
import { call, cut, delay, finish, notice, reasoning, repeat, stall, text, usage, when } from "./script.ts";

const parse = (value: unknown) => parseScenario(JSON.stringify(value));
const STEP_KEYS = "text, reasoning, notice, call, delayMs, usage, finish, fault, stall, cut, repeat";

test("reads every kind of step and reply", () => {
  const scenario = {
    about: "everything",
    chunk: 4,
    replies: [
      [{ text: "a" }, { reasoning: "b" }, { notice: "c" }, { delayMs: 5 }, { stall: true }],
      [{ call: { name: "glob" } }, { call: { name: "glob", input: { pattern: "*" }, id: "x" } }],
      [{ call: { name: "glob", input: "{" } }, { finish: { reason: "refusal" } }],
      [{ usage: { inputTokens: 1, outputTokens: 2, cachedTokens: 3, reasoningTokens: 4, cost: 0.5 } }, { cut: true }],
      [{ fault: { kind: "network", message: "no", retryable: false, retryAfterMs: 10 } }],
      [{ fault: { kind: "network", message: "no" } }],
      [{ repeat: { count: 2, step: { text: "d" } } }, { repeat: { count: 3, step: [{ text: "e" }, { delayMs: 1 }] } }],
      { when: { lastUserText: "^hi", lastResult: "denied" }, steps: [{ text: "f" }] },
    ],
  };
  expect(parse(scenario)).toEqual({
    type: "parsed",
    scenario: {
      chunk: 4,
      script: [
        [text("a"), reasoning("b"), notice("c"), delay(5), stall()],
        [call("glob"), call("glob", { pattern: "*" }, "x")],
        [call("glob", "{"), finish("refusal")],
        [usage({ inputTokens: 1, outputTokens: 2, cachedTokens: 3, reasoningTokens: 4, cost: 0.5 }), cut()],
        [{ type: "fault", fault: fault("network", "no", { retryable: false, retryAfterMs: 10 }) }],
        [{ type: "fault", fault: fault("network", "no") }],
        [repeat(2, text("d")), repeat(3, text("e"), delay(1))],
        when({ lastUserText: /^hi/i, lastResult: /denied/i }, text("f")),
      ],
    },
  });
});

describe("refuses", () => {
  const fine = [{ text: "a" }];
  test.each<{ problem: string; scenario: unknown }>([
    { scenario: [], problem: "the document must be an object" },
    { scenario: {}, problem: "replies must be a list" },
    { scenario: { replies: [], reply: 1 }, problem: "reply is not known; known are about, chunk, replies" },
    { scenario: { replies: [], chunk: 0 }, problem: 'chunk must be "word", "whole" or a whole number from 1' },
    { scenario: { replies: [fine, { when: {} }] }, problem: "replies[1].steps must be a list" },
    { scenario: { replies: [{ steps: fine }] }, problem: "replies[0].when must be an object" },
    {
      scenario: { replies: [{ when: { lastText: "a" }, steps: fine }] },
      problem: "replies[0].when.lastText is not known; known are lastUserText, lastResult",
    },
    {
      scenario: { replies: [{ when: { lastResult: "(" }, steps: fine }] },
      problem: "replies[0].when.lastResult must be a regular expression",
    },
    {
      scenario: { replies: [fine, fine, [{ call: { name: 7 } }]] },
      problem: "replies[2][0].call.name must be a string",
    },
    { scenario: { replies: [[{ call: "glob" }]] }, problem: "replies[0][0].call must be an object" },
    {
      scenario: { replies: [[{ call: { name: "a", args: {} } }]] },
      problem: "replies[0][0].call.args is not known; known are name, input, id",
    },
    { scenario: { replies: [[{ call: { name: "a", id: 1 } }]] }, problem: "replies[0][0].call.id must be a string" },
    {
      scenario: { replies: [[{ txt: "a" }]] },
      problem: `replies[0][0] must be an object with one of these keys: ${STEP_KEYS}`,
    },
    {
      scenario: { replies: [[{ text: "a", delayMs: 5 }]] },
      problem: `replies[0][0] must be an object with one of these keys: ${STEP_KEYS}`,
    },
    {
      scenario: { replies: [["a"]] },
      problem: `replies[0][0] must be an object with one of these keys: ${STEP_KEYS}`,
    },
    { scenario: { replies: [[{ delayMs: -1 }]] }, problem: "replies[0][0].delayMs must be a number from 0 to 3600000" },
    {
      scenario: { replies: [[{ usage: { inputTokens: 1 } }]] },
      problem: "replies[0][0].usage.outputTokens must be a number from 0",
    },
    {
      scenario: { replies: [[{ finish: { reason: "end" } }]] },
      problem: "replies[0][0].finish.reason must be one of stop, calls, length, refusal",
    },
    {
      scenario: { replies: [[{ fault: { kind: "oops", message: "m" } }]] },
      problem:
        "replies[0][0].fault.kind must be one of auth, rate-limit, overloaded, network, stalled, overflow, bad-request, model, loop, journal, internal",
    },
    {
      scenario: { replies: [[{ fault: { kind: "auth", message: "m", retryable: "yes" } }]] },
      problem: "replies[0][0].fault.retryable must be true or false",
    },
    { scenario: { replies: [[{ stall: 1 }]] }, problem: "replies[0][0].stall must be true" },
    {
      scenario: { replies: [[{ repeat: { count: 1.5, step: { text: "a" } } }]] },
      problem: "replies[0][0].repeat.count must be a whole number",
    },
    {
      scenario: { replies: [[{ repeat: { count: 1e7, step: [] } }]] },
      problem: "replies[0][0].repeat.count must be a number from 0 to 1000000",
    },
    {
      scenario: { replies: [[{ repeat: { count: 1, step: [{ text: "a" }, { text: 1 }] } }]] },
      problem: "replies[0][0].repeat.step[1].text must be a string",
    },
    {
      scenario: { replies: [{ when: {}, steps: [{ repeat: nested(3) }] }] },
      problem: "replies[0].steps[0].repeat.step.repeat.step.repeat.step.repeat must not be nested deeper than 3",
    },
  ])("$problem", ({ scenario, problem }) => {
    expect(parse(scenario)).toEqual({ type: "refused", problems: [problem] });
  });

  test("text that is not JSON", () => {
    const refused = parseScenario("replies:\n  - text: yaml");
    expect(refused).toEqual({ type: "refused", problems: [expect.stringMatching(/^the document is not JSON: /)] });
  });

  test("and names every problem, up to ten", () => {
    const reply = Array.from({ length: 12 }, () => ({ text: 1 }));
    const problems = Array.from({ length: 10 }, (_, at) => `replies[0][${at}].text must be a string`);
    expect(parse({ replies: [reply] })).toEqual({ type: "refused", problems: [...problems, "and 2 more"] });
  });
});

function nested(depth: number): object {
  return { count: 1, step: depth === 0 ? { text: "a" } : { repeat: nested(depth - 1) } };
}
