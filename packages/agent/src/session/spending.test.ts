import { expect, test } from "vitest";
import { Spending } from "./spending.ts";

test("adds up a turn, and the money of all", () => {
  const spending = new Spending(1);
  spending.beginTurn();
  spending.ask(4, "a/b");

  expect(spending.add({ inputTokens: 10, outputTokens: 5, cost: 2 }, "a/b")).toBe(15);
  expect(spending.add({ inputTokens: 20, outputTokens: 1 }, "a/b")).toBe(21);
  spending.pay(0.5);

  expect(spending.turn).toEqual({ inputTokens: 30, outputTokens: 6, totalTokens: 36 });
  expect(spending.cost).toBe(3.5);
  expect(spending.counted).toEqual({ tokens: 21, messages: 4 });

  spending.beginTurn();
  expect(spending.turn).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });
});

test("what another model was asked says nothing about the next request", () => {
  const spending = new Spending(0);
  spending.ask(4, "a/b");
  spending.add({ inputTokens: 10, outputTokens: 5 }, "a/other");
  expect(spending.counted).toBeUndefined();

  spending.add({ inputTokens: 10, outputTokens: 5 }, "a/b");
  spending.forgetCount();
  expect(spending.counted).toBeUndefined();
});
