import type { ElicitationPropertySchema } from "@agentao/acp";
import { expect, test } from "vitest";
import { parseAskUser, parseFormText, toAskSteps, toFormSteps } from "./form-step.ts";

function form(properties: Record<string, ElicitationPropertySchema>, required: string[] = []) {
  return {
    mode: "form" as const,
    sessionId: "s",
    message: "?",
    requestedSchema: { type: "object" as const, properties, required },
  };
}

test("makes one question of a choice and its other", () => {
  const steps = toFormSteps(
    form({
      answer: { type: "string", title: "Colour", enum: ["Red", "Blue"] },
      other: { type: "string", title: "Something else" },
    }),
  );
  expect(steps).toEqual([
    {
      type: "choice",
      name: "answer",
      title: "Colour",
      choices: [
        { id: "Red", label: "Red" },
        { id: "Blue", label: "Blue" },
      ],
      isMultiple: false,
      isRequired: false,
      otherName: "other",
    },
  ]);
});

test("knows every kind of field, and leaves out what it does not know", () => {
  const steps = toFormSteps(
    form(
      {
        name: { type: "string", default: "me" },
        age: { type: "integer" },
        agree: { type: "boolean", title: "Agree?" },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
        odd: { type: "colour" } as never,
      },
      ["name"],
    ),
  );
  expect(steps.map(({ type, name, isRequired }) => [type, name, isRequired])).toEqual([
    ["text", "name", true],
    ["text", "age", false],
    ["yes-no", "agree", false],
    ["choice", "tags", false],
    ["choice", "size", false],
  ]);
  expect(steps[0]).toMatchObject({ initial: "me", takes: "text" });
  expect(steps[1]).toMatchObject({ takes: "integer" });
  expect(steps[3]).toMatchObject({ isMultiple: true });
  expect(steps[4]).toMatchObject({ choices: [{ id: "s", label: "Small" }] });
});

test.each([
  ["12", "integer", 12],
  ["1.5", "integer", undefined],
  ["1.5", "number", 1.5],
  ["", "number", undefined],
  ["x", "number", undefined],
  ["x", "text", "x"],
] as const)("reads %j as %s", (text, takes, value) => {
  expect(parseFormText(text, takes)).toBe(value);
});

test("reads the question of agentao's own method", () => {
  expect(toAskSteps(parseAskUser({ question: "Q", options: ["a", 1, "b"], allowCustom: false }))).toMatchObject([
    { type: "choice", choices: [{ id: "a" }, { id: "b" }], isMultiple: false, otherName: undefined },
  ]);
  expect(toAskSteps(parseAskUser({ question: "Q" }))).toMatchObject([{ type: "text", isRequired: true }]);
  expect(parseAskUser(null).question).toBe("The agent asks for an answer.");
});
