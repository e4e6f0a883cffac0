import { expect, test } from "vitest";
import { boolean, defineInput, integer, list, object, oneOf, optional, string, withDefault } from "./input.ts";

const input = defineInput({
  file_path: string("The file", { aliases: ["path"] }),
  limit: withDefault(integer("How many", { minimum: 0, maximum: 100 }), 10),
  append: optional(boolean("At the end")),
  items: optional(
    list(
      object({
        content: string("What"),
        status: oneOf(["open", "in_progress"], "Where", { synonyms: { doing: "in_progress" } }),
      }),
      "Things",
      { maximum: 2 },
    ),
  ),
});

test("is the JSON Schema that a model sees", () => {
  expect(input.schema).toEqual({
    type: "object",
    properties: {
      file_path: { type: "string", description: "The file" },
      limit: { type: "integer", description: "How many", minimum: 0, maximum: 100, default: 10 },
      append: { type: "boolean", description: "At the end" },
      items: {
        type: "array",
        description: "Things",
        maxItems: 2,
        items: {
          type: "object",
          properties: {
            content: { type: "string", description: "What" },
            status: { type: "string", enum: ["open", "in_progress"], description: "Where" },
          },
          required: ["content", "status"],
        },
      },
    },
    required: ["file_path"],
  });
});

const nothing = { file_path: "a", limit: 10, append: undefined, items: undefined };

test.each([
  { given: { file_path: "a" }, read: nothing },
  { given: { path: "a" }, read: nothing },
  { given: { filePath: "a" }, read: nothing },
  { given: { "FILE-PATH": "a" }, read: nothing },
  { given: { path: "b", file_path: "a" }, read: nothing },
  { given: { file_path: "a", unknown: 1, limit: null }, read: nothing },
  { given: { file_path: 5 }, read: { ...nothing, file_path: "5" } },
  { given: { file_path: "a", limit: "5" }, read: { ...nothing, limit: 5 } },
  { given: { file_path: "a", limit: 5.0 }, read: { ...nothing, limit: 5 } },
  { given: { file_path: "a", limit: -1 }, read: { ...nothing, limit: 0 } },
  { given: { file_path: "a", limit: 1000 }, read: { ...nothing, limit: 100 } },
  { given: { file_path: "a", append: "True" }, read: { ...nothing, append: true } },
  { given: { file_path: "a", append: 0 }, read: { ...nothing, append: false } },
  {
    given: { file_path: "a", items: '[{"content":"x","status":"In-Progress"}]' },
    read: { ...nothing, items: [{ content: "x", status: "in_progress" }] },
  },
  {
    given: { file_path: "a", items: { content: "x", status: "doing" } },
    read: { ...nothing, items: [{ content: "x", status: "in_progress" }] },
  },
])("reads what models send: $given", ({ given, read }) => {
  expect(input.parse(given)).toEqual({ input: read });
});

test.each([
  { given: {}, problem: "file_path is required" },
  { given: { file_path: null }, problem: "file_path is required" },
  { given: { file_path: ["a"] }, problem: 'file_path must be a string, not ["a"]' },
  {
    given: { limit: "many", append: "perhaps" },
    problem:
      'file_path is required; limit must be a whole number, not "many"; append must be true or false, not "perhaps"',
  },
  { given: { file_path: "a", limit: 1.5 }, problem: "limit must be a whole number, not 1.5" },
  { given: { file_path: "a", limit: "" }, problem: 'limit must be a whole number, not ""' },
  { given: { file_path: "a", items: [1, 2, 3] }, problem: "items must have at most 2 items, not 3" },
  {
    given: { file_path: "a", items: [{ content: "x", status: "open" }, { status: "closed" }] },
    problem: 'items[1].content is required; items[1].status must be one of open, in_progress, not "closed"',
  },
  { given: { file_path: "a", items: "nothing" }, problem: 'items[0] must be an object, not "nothing"' },
])("says all that is wrong: $problem", ({ given, problem }) => {
  expect(input.parse(given)).toEqual({ problem });
});
