import { expect, test } from "vitest";
import { fieldOf, fieldsOf, isFields } from "./fields.ts";

test.each([
  [{ a: 1 }, true, { a: 1 }, 1],
  [Object.assign(new Error("x"), { a: 2 }), true, expect.objectContaining({ a: 2 }), 2],
  [[1], false, {}, undefined],
  [null, false, {}, undefined],
  ["text", false, {}, undefined],
  [undefined, false, {}, undefined],
])("%s", (value, is, fields, field) => {
  expect(isFields(value)).toBe(is);
  expect(fieldsOf(value)).toEqual(fields);
  expect(fieldOf(value, "a")).toBe(field);
});

test("the fields of an error are found, also those of its kind", () => {
  expect(fieldOf(new TypeError("x"), "name")).toBe("TypeError");
});
