import fc from "fast-check";
import { expect, test } from "vitest";
import { nestingOf, removeFromJson, repeatedIn, setInJson } from "./json-edit.ts";
import { getAt } from "./key-path.ts";

const FILE = `{
\t"providers": {"openai": {"models": ["a", "b"], "10": 1.0, "2": 12345678901234567890}},

\t"model" : "openai/a"
}`;

test("changes one value and no other letter", () => {
  expect(setInJson(FILE, ["model"], "openai/b")).toBe(FILE.replace("openai/a", "openai/b"));
  expect(setInJson(FILE, ["providers", "openai", "2"], 3)).toBe(FILE.replace("12345678901234567890", "3"));
});

test("adds in the manner of its neighbours", () => {
  expect(setInJson(FILE, ["context", "compactAt"], 0.5)).toBe(
    FILE.replace('"openai/a"\n', '"openai/a",\n\t"context": {\n\t\t"compactAt": 0.5\n\t}\n'),
  );
  expect(setInJson(FILE, ["providers", "acme"], { x: [1] })).toBe(FILE.replace("890}}", '890}, "acme": {"x":[1]}}'));
  expect(setInJson('{\r\n  "a": {}\r\n}\r\n', ["a", "b"], 1)).toBe('{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n');
  expect(setInJson("", ["a", "b"], 1)).toBe('{\n  "a": {\n    "b": 1\n  }\n}\n');
});

test.each<[string, readonly string[], string]>([
  ['{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n', ["b"], '{\n  "a": 1,\n  "c": 3\n}\n'],
  ['{\n  "a": 1,\n  "b": 2\n}', ["a"], '{\n  "b": 2\n}'],
  ['{\n  "a": 1\n}', ["a"], "{}"],
  ['{"a": {"b": {"c": 1}}, "d": 1}', ["a", "b", "c"], '{"d": 1}'],
  ['{"a": 1, "b": 2, "a": 3}', ["a"], '{"b": 2}'],
  ['{"a": {}, "d": 1}', ["x", "y"], '{"a": {}, "d": 1}'],
])("takes away from %j the place %j, and what that leaves empty", (text, path, after) => {
  expect(removeFromJson(text, path)).toBe(after);
});

test("a value that is no object makes room for one", () => {
  expect(setInJson('{"a": [1]}', ["a", "b"], 1)).toBe('{"a": {\n  "b": 1\n}}');
});

test("finds names that are written twice, at any depth", () => {
  expect(repeatedIn('{"a": {"b": 1, "c": {}, "b": 2}, "d": [{"x": 1, "x": 1}], "a": 3}')).toEqual([["a", "b"], ["a"]]);
  expect(["", "[]", "{}", '{"a": 1}'].map(repeatedIn)).toEqual([[], [], [], []]);
});

const name = fc.string({ maxLength: 5 }).filter((one) => one !== "__proto__");
const tree = fc.dictionary(
  name,
  fc.jsonValue().filter((one) => !JSON.stringify(one).includes("__proto__")),
);
const space = fc.constantFrom(undefined, 1, 2, "\t");

test("what was put at a place is there, and everything beside it is as it was", () => {
  fc.assert(
    fc.property(
      tree,
      space,
      fc.array(name, { minLength: 1, maxLength: 3 }),
      fc.jsonValue(),
      (before, by, path, value) => {
        const text = JSON.stringify(before, null, by);
        const after = JSON.parse(setInJson(text, path, value));
        expect(getAt(after, path)).toEqual(JSON.parse(JSON.stringify(value)));
        const [first = ""] = path;
        expect({ ...after, [first]: 0 }).toEqual({ ...JSON.parse(text), [first]: 0 });
        expect(getAt(JSON.parse(removeFromJson(text, path)), path)).toBeUndefined();
      },
    ),
  );
});

test.each([
  ['{"a": "[[{"}', 1],
  ['{"a": {"b": [[1], {}]}, "c": []}', 4],
  [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, 100_000],
])("tells how deep a text is", (text, depth) => {
  expect(nestingOf(text)).toBe(depth);
});
