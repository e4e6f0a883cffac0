import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test.each([
  ["sesions", "sessions"],
  ["prxy", "proxy"],
  ["-p", undefined],
  ["x", undefined],
  ["foo", undefined],
])("%s may have meant %s", (word, meant) => {
  expect(nearest(word, ["sessions", "proxy", "--acp", "run", "acp"])).toBe(meant);
});

test("two letters that changed places are one mistake", () => {
  expect(nearest("modle", ["model", "mode"])).toBe("model");
  expect(nearest("lsit", ["login", "list"])).toBe("list");
});
