import fc from "fast-check";
import { expect, test } from "vitest";
import { getAt, parseKeyPath, setAt } from "./key-path.ts";

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
});

const step = fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== "__proto__");
const path = fc.array(step, { minLength: 1, maxLength: 4 });

test("what was put at a place is there, and everything beside it is as it was", () => {
  const tree = { keep: { deep: [1] }, other: 2 };
  fc.assert(
    fc.property(path, fc.jsonValue(), (at, value) => {
      const after = setAt(tree, ["new", ...at], value);
      expect(getAt(after, ["new", ...at])).toEqual(value);
      expect({ ...after, new: undefined }).toEqual({ ...tree, new: undefined });
      expect(tree).toEqual({ keep: { deep: [1] }, other: 2 });
    }),
  );
});

test("what is taken away takes what it leaves empty with it", () => {
  expect(setAt({ a: { b: { c: 1 } }, d: 1 }, ["a", "b", "c"], undefined)).toEqual({ d: 1 });
  expect(setAt({ a: { b: 1, c: 2 } }, ["a", "b"], undefined)).toEqual({ a: { c: 2 } });
  expect(setAt({ d: 1 }, ["a", "b"], undefined)).toEqual({ d: 1 });
});
