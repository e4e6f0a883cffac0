// Tests that fit into a condition, for the shapes that need no function call of their own to be decoded.

import type { Scribe } from "./scribe.ts";
import { type Definitions, definitionOf, type Shape } from "./shape.ts";

export interface Check {
  readonly right: string;
  readonly wrong: string;
}

/** The test of `subject` against a shape, or null when only a decoder can tell. */
export function checkOf(scribe: Scribe, shape: Shape, subject: string): Check | null {
  switch (shape.type) {
    case "null":
      return { right: `${subject} === null`, wrong: `${subject} !== null` };
    case "boolean":
      return typeCheck(subject, "boolean");
    case "tag":
      return typeCheck(subject, "string");
    case "string":
      if (!shape.nonEmpty) return typeCheck(subject, "string");
      return {
        right: `typeof ${subject} === "string" && ${subject} !== ""`,
        wrong: `typeof ${subject} !== "string" || ${subject} === ""`,
      };
    case "number":
      return callCheck(`Number.isFinite(${subject})`);
    case "integer":
      if (shape.min === null && shape.max === null) return callCheck(`Number.isInteger(${subject})`);
      return callCheck(`isInteger(${subject}, ${bound(shape.min, "-Infinity")}, ${bound(shape.max, "Infinity")})`);
    case "fields":
      return callCheck(`isFields(${subject})`);
    case "nullable": {
      const check = checkOf(scribe, shape.of, subject);
      if (check === null) return null;
      const wrong = check.wrong.includes(" || ") ? `(${check.wrong})` : check.wrong;
      return { right: `${subject} === null || ${check.right}`, wrong: `${subject} !== null && ${wrong}` };
    }
    case "ref":
      return referenceCheck(scribe, shape.name, subject);
    case "any":
    case "array":
    case "map":
      return null;
  }
}

function referenceCheck(scribe: Scribe, name: string, subject: string): Check | null {
  const definition = definitionOf(scribe.definitions, name);
  if (definition.type === "scalar") return checkOf(scribe, definition.shape, subject);
  if (definition.type === "enum" && definition.open) return typeCheck(subject, "string");
  const isTest =
    definition.type === "enum" ||
    (definition.type === "either" && definition.shapes.every((shape) => checkOf(scribe, shape, subject) !== null));
  if (!isTest) return null;
  scribe.wanted.add(`is${definition.name}`);
  return callCheck(`is${definition.name}(${subject})`);
}

function typeCheck(subject: string, type: string): Check {
  return { right: `typeof ${subject} === "${type}"`, wrong: `typeof ${subject} !== "${type}"` };
}

function callCheck(call: string): Check {
  return { right: call, wrong: `!${call}` };
}

function bound(value: number | null, none: string): string {
  return value === null ? none : String(value);
}

/** The tests for each of several shapes. An integer is a number, and is not tested for beside one. */
export function checksOf(scribe: Scribe, shapes: readonly Shape[], subject: string): (string | undefined)[] {
  const isNumber = shapes.some((shape) => shape.type === "number");
  const distinct = shapes.filter((shape) => !(isNumber && shape.type === "integer"));
  return distinct.map((shape) => checkOf(scribe, shape, subject)?.right);
}

/** What a refusal says was expected, in words. */
export function expected(definitions: Definitions, shape: Shape): string {
  switch (shape.type) {
    case "any":
      return "a value";
    case "null":
      return "null";
    case "boolean":
    case "number":
      return `a ${shape.type}`;
    case "tag":
      return "a string";
    case "string":
      return shape.nonEmpty ? "a string that is not empty" : "a string";
    case "integer":
      if (shape.max !== null) return `an integer from ${shape.min} to ${shape.max}`;
      return shape.min === null ? "an integer" : `an integer of at least ${shape.min}`;
    case "fields":
    case "map":
      return "an object";
    case "array":
      return "an array";
    case "nullable":
      return `${expected(definitions, shape.of)} or null`;
    case "ref":
      return expectedByName(definitions, shape.name);
  }
}

function expectedByName(definitions: Definitions, name: string): string {
  const definition = definitionOf(definitions, name);
  switch (definition.type) {
    case "scalar":
      return expected(definitions, definition.shape);
    case "enum":
      return definition.open ? "a string" : `one of ${definition.values.join(", ")}`;
    case "either":
      return inWords(definition.shapes.map((shape) => expected(definitions, shape)));
    default:
      return "an object";
  }
}

function inWords(alternatives: readonly string[]): string {
  return alternatives.length < 2
    ? alternatives.join("")
    : `${alternatives.slice(0, -1).join(", ")} or ${alternatives.at(-1)}`;
}
