import { expect, test } from "vitest";
import { askInLines, chooseInLines, type PlainDesk } from "./plain-desk.ts";
import type { FormStep, FormValue } from "./question/form-step.ts";
import type { Question } from "./question/question.ts";
import { createMarkdown } from "./view/markdown.ts";
import { createPaint } from "./view/paint.ts";

function desk(...typed: readonly string[]) {
  const lines: string[] = [];
  const rest = [...typed];
  const paint = createPaint(false);
  const opens = { thoughts: false, calls: false };
  const room = { width: 80, paint, markdown: createMarkdown(paint), cwd: "/w", opens };
  const plain: PlainDesk = {
    line: (text) => void lines.push(text),
    read: async (words) => {
      lines.push(`${words}${rest[0]}`);
      return rest.shift() ?? "";
    },
    room: () => room,
  };
  return { plain, lines };
}

const permission = (settle: (id: string | undefined) => void): Question => ({
  type: "permission",
  settle,
  request: {
    sessionId: "s",
    toolCall: { toolCallId: "c", title: "Write /w/.env" },
    options: [
      { optionId: "yes", name: "Allow once", kind: "allow_once" },
      { optionId: "always", name: "Always allow writing `/w/.env`", kind: "allow_always" },
      { optionId: "no", name: "Reject once", kind: "reject_once" },
    ],
  },
});

test("asks for permission until the answer is one, and shows short paths", async () => {
  const settled: unknown[] = [];
  const { plain, lines } = desk("y", "0", "2");
  await askInLines(
    permission((id) => settled.push(id)),
    plain,
  );
  expect(settled).toEqual(["always"]);
  expect(lines).toEqual([
    "? Allow: Write .env",
    "  1 Allow once\n  2 Always allow writing `.env`\n  3 Reject once",
    "Number: y",
    "Write a number from 1 to 3, or nothing for no.",
    "Number: 0",
    "Write a number from 1 to 3, or nothing for no.",
    "Number: 2",
  ]);
});

test("takes nothing for no", async () => {
  const settled: unknown[] = [];
  await askInLines(
    permission((id) => settled.push(id)),
    desk("").plain,
  );
  expect(settled).toEqual(["no"]);
});

test("shows what belongs to a choice, and answers which it was", async () => {
  const { plain, lines } = desk("1");
  expect(await chooseInLines("Mode", [{ id: "a", label: "Ask", detail: "(now)" }], plain)).toBe("a");
  expect(lines).toEqual(["Mode", "  1 Ask  (now)", "Number: 1"]);
});

const colour: FormStep = {
  type: "choice",
  name: "colour",
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
  ["one choice", [colour], ["2"], { colour: "blue" }],
  ["own words instead", [colour], ["tan"], { other: "tan" }],
  ["several", [{ ...colour, isMultiple: true }], ["1, 2"], { colour: ["red", "blue"] }],
  ["one after the other", [colour, age, sure], ["1", "42", "2"], { colour: "red", age: 42, sure: false }],
  ["what may be left open", [age, sure], ["42", ""], { age: 42 }],
  ["yes to a form without fields", [], ["1"], {}],
  ["no to a form without fields", [], [""], undefined],
  ["nothing, where an answer is needed", [colour, age], ["1", "old"], undefined],
])("fills in a form: %s", async (_, steps, typed, values) => {
  const settled: unknown[] = [];
  const form: Question = { type: "form", message: "Tell me", steps, settle: (value) => void settled.push(value) };
  await askInLines(form, desk(...typed).plain);
  expect(settled).toEqual([values]);
});

test("says what each of several choices is about", async () => {
  const { plain, lines } = desk("1", "1");
  await askInLines({ type: "form", message: "Tell me", steps: [colour, sure], settle: () => {} }, plain);
  expect(lines.filter((line) => !line.startsWith(" "))).toEqual([
    "? Tell me",
    "Colour",
    "Number or words: 1",
    "Sure?",
    "Number or words: 1",
  ]);
});
