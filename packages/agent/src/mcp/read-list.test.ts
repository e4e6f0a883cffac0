import { expect, test } from "vitest";
import { toServerPrompts, toServerTools } from "./listed.ts";
import { MAX_CURSOR_BYTES, MAX_ITEMS, readList } from "./read-list.ts";

const pages = (all: Record<string, unknown>) => (params: Readonly<Record<string, unknown>>) =>
  Promise.resolve(all[String(params.cursor ?? "")]);

test("reads all pages", async () => {
  const read = readList("tools", pages({ "": { tools: [1], nextCursor: "a" }, a: { tools: [2, 3] } }));

  expect(await read).toEqual({ items: [1, 2, 3], isCut: false });
});

test("stops where there are enough", async () => {
  const many = Array.from({ length: MAX_ITEMS + 5 }, (_, at) => at);

  expect(await readList("tools", pages({ "": { tools: many, nextCursor: "a" } }))).toEqual({
    items: many.slice(0, MAX_ITEMS),
    isCut: true,
  });
});

test.each([
  {
    name: "that repeat",
    all: { "": { tools: [], nextCursor: "a" }, a: { tools: [], nextCursor: "b" }, b: { tools: [], nextCursor: "a" } },
    why: "circles",
  },
  {
    name: "with endless cursors",
    all: { "": { tools: [], nextCursor: "x".repeat(MAX_CURSOR_BYTES + 1) } },
    why: "too long",
  },
  { name: "that are none", all: { "": { tools: 5 } }, why: "no list" },
])("refuses pages $name", async ({ all, why }) => {
  await expect(readList("tools", pages(all))).rejects.toMatchObject({
    name: "Failure",
    message: expect.stringContaining(why),
  });
});

test("leaves out tools without a name, and the second of a name", () => {
  const tools = toServerTools([
    { name: "a", description: "first", annotations: { title: "A", readOnlyHint: true } },
    null,
    { name: 5 },
    { name: "b", title: "  " },
    { name: "a", description: "second" },
  ]);

  expect(tools).toEqual([
    { name: "a", title: "A", description: "first", inputSchema: undefined, isReadOnly: true },
    { name: "b", title: undefined, description: undefined, inputSchema: undefined, isReadOnly: false },
  ]);
});

test("reads prompts with their arguments", () => {
  expect(toServerPrompts([{ name: "p", arguments: [{ name: "x", required: true }, { odd: 1 }] }], "s")).toEqual([
    {
      server: "s",
      name: "p",
      title: undefined,
      description: undefined,
      arguments: [{ name: "x", description: undefined, required: true }],
    },
  ]);
});
