// A function as a tool: what the model is told of it, what it is given, and what becomes of what it answers.

import { expect, expectTypeOf, test } from "vitest";
import { createTool, field } from "./create-tool.ts";
import type { ToolRoom } from "./tool.ts";

const room = {} as ToolRoom;
const { signal } = new AbortController();

const order = createTool({
  name: "order",
  description: "Orders.",
  input: {
    item: field.string("What"),
    count: field.withDefault(field.integer("How many", { minimum: 1 }), 1),
    colour: field.optional(field.oneOf(["red", "green"], "Which")),
  },
  run(input) {
    expectTypeOf(input).toEqualTypeOf<{
      readonly item: string;
      readonly count: number;
      readonly colour: "red" | "green" | undefined;
    }>();
    if (input.item === "moon") throw new Error("Not for sale.");
    return JSON.stringify(input);
  },
});

test("the model is told what to give", () => {
  expect(order.inputSchema).toEqual({
    type: "object",
    properties: {
      item: { type: "string", description: "What" },
      count: { type: "integer", description: "How many", minimum: 1, default: 1 },
      colour: { type: "string", enum: ["red", "green"], description: "Which" },
    },
    required: ["item"],
  });
});

test("the function gets what was meant, or the model hears what is wrong", async () => {
  const read = order.parse({ item: "lamp", count: "2" });
  expect(read).toEqual({ input: { item: "lamp", count: 2, colour: undefined } });
  expect(await order.run((read as { input: never }).input, room, signal)).toEqual({
    told: [{ type: "text", text: '{"item":"lamp","count":2}' }],
  });
  expect(order.parse({ count: "many" })).toEqual({
    problem: 'item is required; count must be a whole number, not "many"',
  });
});

test.each<[unknown, unknown]>([
  [1.5, { input: { price: 1.5 } }],
  ["1e3", { input: { price: 1000 } }],
  ["", { problem: 'price must be a number, not ""' }],
  ["dear", { problem: 'price must be a number, not "dear"' }],
  [[1], { problem: "price must be a number, not [1]" }],
])("a price of %j is read as %j", (price, read) => {
  const sell = createTool({ name: "sell", description: "", input: { price: field.number("") }, run: () => "" });
  expect(sell.parse({ price })).toEqual(read);
});

test("people are asked about it by name, unless it changes nothing", () => {
  const plan = { title: 'order {"item":"lamp"}', kind: "other", locations: [] };
  expect(order.plan({ item: "lamp" } as never, room)).toEqual({ ...plan, effect: { type: "other", readOnly: false } });
  const look = createTool({ name: "look", description: "Looks.", input: {}, readOnly: true, run: () => "Nothing." });
  expect(look.plan({} as never, room).effect).toEqual({ type: "other", readOnly: true });
});

test("a whole outcome passes as it is, and a throw is the caller's to tell", async () => {
  const outcome = { failed: true, told: [{ type: "text", text: "Sold out." }] } as const;
  const sold = createTool({ name: "sold", description: "Sells.", input: {}, run: async () => outcome });
  expect(await sold.run({} as never, room, signal)).toBe(outcome);
  await expect(order.run({ item: "moon" } as never, room, signal)).rejects.toThrow("Not for sale.");
});

test.each(["", "two words", "order!", "x".repeat(65)])("%j is no name for a tool", (name) => {
  expect(() => createTool({ name, description: "", input: {}, run: () => "" })).toThrow(TypeError);
});
