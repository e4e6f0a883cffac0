import { expect, test } from "vitest";
import { getAt, parseKeyPath, toKeyText } from "./key-path.ts";

test.each<[string, readonly string[] | undefined]>([
  ["model", ["model"]],
  ["context.compactAt", ["context", "compactAt"]],
  ['providers.openai.models["gpt-6.1-sol"].window', ["providers", "openai", "models", "gpt-6.1-sol", "window"]],
  ['["a.b"]', ["a.b"]],
  ['a["say \\"x\\""]', ["a", 'say "x"']],
  ["", undefined],
  [".a", undefined],
  ["a..b", undefined],
  ["a.", undefined],
  ["a[b]", undefined],
  ['a[""]', undefined],
  ["__proto__.x", undefined],
])("%s", (text, path) => {
  expect(parseKeyPath(text)).toEqual(path);
  if (path !== undefined) expect(toKeyText(path)).toBe(text);
});

test("finds only what is there", () => {
  const tree = { a: { b: [1] }, c: null };
  expect(getAt(tree, ["a", "b"])).toEqual([1]);
  expect(getAt(tree, ["a", "b", "0"])).toBeUndefined();
  expect(getAt(tree, ["c", "d"])).toBeUndefined();
  expect(getAt(tree, ["constructor"])).toBeUndefined();
});
