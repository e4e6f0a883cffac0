import { expect, test } from "vitest";
import { list, string } from "./input.ts";
import { parseInput } from "./parse-input.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const DEEP = {
  type: "nonsense",
  problem: "The input is nested too deep. Call the tool again with a complete JSON object.",
};

test("refuses what is nested too deep to be walked, encoded twice or not", () => {
  const text = `{"file_path":${nested(20_000)}}`;
  expect(parseInput(text)).toEqual(DEEP);
  expect(parseInput(JSON.stringify(text))).toEqual(DEEP);
  expect(parseInput(`{"a":${nested(64)}}`)).toEqual(DEEP);
});

test("takes what is nested as deep as anybody needs, and brackets in strings", () => {
  expect(parseInput(`{"a":${nested(63)}}`)).toMatchObject({ type: "object" });
  expect(parseInput(JSON.stringify({ a: `\\"${"[".repeat(500)}` }))).toMatchObject({ type: "object" });
});

test("a list in a string that is nested too deep is one text", () => {
  expect(list(string("x"), "y").read(nested(20_000), "items")).toEqual({ value: [nested(20_000)] });
});
