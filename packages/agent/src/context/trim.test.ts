import { expect, test } from "vitest";
import type { CallId } from "../id/id.ts";
import { trimResult } from "../journal/turn-messages.ts";
import { type ResultMessage, text } from "../message/message.ts";
import { chooseTrim } from "./trim.ts";

const LONG = 43_000;

test("chooses results that are older than the newest five, and long", () => {
  const results = [result("c1", LONG), result("c2", 3_000), result("c3", LONG), ...newest(5, LONG)];

  expect(chooseTrim(results, 100_000)).toEqual({ callIds: ["c1", "c3"], savedTokens: 2 * (10_750 - 759) });
});

test.each([
  ["there are only five", newest(5, LONG)],
  ["all old ones are short", [result("c1", 3_000), ...newest(5, LONG)]],
  ["they were trimmed before", [trimResult(result("c1", LONG)), trimResult(result("c2", LONG)), ...newest(5, LONG)]],
  ["less than a twentieth of the window would be won", [result("c1", 22_000), ...newest(5, LONG)]],
  ["there are none", []],
])("chooses nothing where %s", (_, results) => {
  expect(chooseTrim(results, 100_000)).toBeUndefined();
});

test("spares as many as it is told to", () => {
  expect(chooseTrim(newest(2, LONG), 100_000, { spared: 0 })?.callIds).toEqual(["n1", "n2"]);
  expect(chooseTrim(newest(2, LONG), 100_000, { spared: 1 })?.callIds).toEqual(["n1"]);
});

function newest(count: number, chars: number): ResultMessage[] {
  return Array.from({ length: count }, (_, at) => result(`n${at + 1}`, chars));
}

function result(callId: string, chars: number): ResultMessage {
  return { role: "result", callId: callId as CallId, name: "grep", failed: false, parts: [text("x".repeat(chars))] };
}
