import { expect, test } from "vitest";
import type { FormStep, FormValue } from "../question/form-step.ts";
import type { Question } from "../question/question.ts";
import { createMarkdown } from "../view/markdown.ts";
import { createPaint } from "../view/paint.ts";
import type { Panel } from "./panel.ts";
import { questionPanel } from "./question-panel.ts";

const DOWN = "\u001b[B";
const ENTER = "\r";
const ESCAPE = "\u001b";

const paint = createPaint(false);
const room = { width: 40, paint, markdown: createMarkdown(paint), cwd: "/w", opens: { thoughts: false, calls: false } };

/** Presses keys one after the other, into whichever panel is shown. */
function answer(toQuestion: (settle: (value: unknown) => void) => Question, keys: readonly string[], rows = 24) {
  const settled: unknown[] = [];
  let shown: Panel | undefined;
  const show = (panel: Panel): void => {
    shown = panel;
  };
  const place = { room: () => room, rows: () => rows, show };
  shown = questionPanel(
    toQuestion((value) => settled.push(value)),
    place,
  );
  for (const key of keys) shown?.handleInput?.(key);
  return { settled, lines: () => shown?.render(40) ?? [] };
}

const permission = (settle: (value: unknown) => void): Question => ({
  type: "permission",
  settle,
  request: {
    sessionId: "s",
    toolCall: { toolCallId: "c", title: "npm test" },
    options: [
      { optionId: "once", name: "Allow once", kind: "allow_once" },
      { optionId: "always", name: "Always allow `npm test`", kind: "allow_always" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  },
});

test.each<[string, string[], string]>([
  ["Enter", [ENTER], "once"],
  ["a number", ["2"], "always"],
  ["an arrow", [DOWN, DOWN, ENTER], "no"],
  ["Esc", [ESCAPE], "no"],
])("is answered by %s", (_, keys, optionId) => {
  expect(answer(permission, keys).settled).toEqual([optionId]);
});

test("shows what is asked and every answer, in 40 columns", () => {
  expect(answer(permission, [DOWN]).lines()).toEqual([
    "─".repeat(40),
    "? Allow: npm test",
    "  1 Allow once",
    "❯ 2 Always allow `npm test`",
    "  3 Reject",
    "Number or ↑↓ Enter · Esc: no",
    "─".repeat(40),
  ]);
});

test.each([12, 14, 16])("leaves room for what stands around it, in %i rows", (rows) => {
  const command = "npm run something --with many --words";
  const long = (settle: (value: unknown) => void): Question => ({
    type: "permission",
    settle,
    request: {
      sessionId: "s",
      toolCall: { toolCallId: "c", title: "Release", rawInput: { command: `${command}\n`.repeat(9) } },
      options: ["Allow", "Always allow", "Reject", "Always reject"].map((word) => ({
        optionId: word,
        name: `${word} \`${command}\``,
        kind: "allow_once",
      })),
    },
  });
  for (const keys of [[], [DOWN], [DOWN, DOWN], [DOWN, DOWN, DOWN]]) {
    const lines = answer(long, keys, rows).lines();
    // A blank line above, and the status line below.
    expect(lines.length + 2).toBeLessThanOrEqual(rows);
    expect(lines[1]).toBe("? Allow: Release");
    expect(lines.some((line) => line.startsWith("❯"))).toBe(true);
  }
});

const form =
  (...steps: FormStep[]) =>
  (settle: (value: unknown) => void): Question => ({ type: "form", message: "Tell me", steps, settle });

const choice: FormStep = {
  type: "choice",
  name: "answer",
  title: "Colour",
  choices: [
    { id: "red", label: "Red" },
    { id: "blue", label: "Blue" },
  ],
  isMultiple: false,
  isRequired: true,
  otherName: "other",
};
const age: FormStep = { type: "text", name: "age", title: "Age", initial: "", takes: "integer", isRequired: true };
const sure: FormStep = { type: "yes-no", name: "sure", title: "Sure?", isRequired: false };

test.each<[string, FormStep[], string[], Record<string, FormValue> | undefined]>([
  ["one choice", [choice], ["2"], { answer: "blue" }],
  ["own words instead", [choice], ["3", "t", "a", "n", ENTER], { other: "tan" }],
  ["several marks", [{ ...choice, isMultiple: true }], ["1", "2", ENTER], { answer: ["red", "blue"] }],
  ["one after the other", [choice, age, sure], ["1", "4", "2", ENTER, "1"], { answer: "red", age: 42, sure: true }],
  ["nothing, by Esc at any step", [choice, age], ["1", ESCAPE], undefined],
  ["yes to a form without fields", [], ["1"], {}],
])("fills in a form: %s", (_, steps, keys, values) => {
  expect(answer(form(...steps), keys).settled).toEqual([values]);
});

test("asks again for what it cannot take", () => {
  const { settled, lines } = answer(form(age), ["x", ENTER]);
  expect(settled).toEqual([]);
  expect(lines()).toContain("A whole number is needed.");
});
