import { expect, test } from "vitest";
import { choose } from "./policy.ts";

const option = (optionId: string, kind: "allow_once" | "allow_always" | "reject_once" | "reject_always") => ({
  optionId,
  name: optionId,
  kind,
});
const all = [
  option("a", "allow_always"),
  option("b", "allow_once"),
  option("c", "reject_always"),
  option("d", "reject_once"),
];
const ask = (options: typeof all, mode: "reject_all" | "accept_all") =>
  choose({ sessionId: "s", toolCall: { toolCallId: "t" }, options }, mode).outcome;

test("chooses by kind, and the smallest one", () => {
  expect(ask(all, "reject_all")).toEqual({ outcome: "selected", optionId: "d" });
  expect(ask(all, "accept_all")).toEqual({ outcome: "selected", optionId: "b" });
  expect(ask(all.slice(0, 1), "accept_all")).toEqual({ outcome: "selected", optionId: "a" });
});

test("cancels where there is no such option, and never takes another one", () => {
  expect(ask(all.slice(0, 2), "reject_all")).toEqual({ outcome: "cancelled" });
  expect(ask(all.slice(2), "accept_all")).toEqual({ outcome: "cancelled" });
  expect(ask([], "accept_all")).toEqual({ outcome: "cancelled" });
});
