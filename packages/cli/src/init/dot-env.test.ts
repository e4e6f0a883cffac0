import { expect, test } from "vitest";
import { isIgnored, putVariables, replacedIn } from "./dot-env.ts";

test.each<[string, string]>([
  ["", "A=1\nB=two/three\n"],
  ["A=1\n", "A=1\nB=two/three\n"],
  ["# mine\nexport A = old\nX=9", "# mine\nA=1\nX=9\nB=two/three\n"],
  ["B=x\r\nA=y\r\n", "B=two/three\r\nA=1\r\n"],
])("puts variables into %j", (before, after) => {
  const variables = [
    ["A", "1"],
    ["B", "two/three"],
  ] as const;
  expect(putVariables(before, variables)).toBe(after);
  expect(putVariables(after, variables)).toBe(after);
});

test("quotes what has to be quoted", () => {
  expect(putVariables("", [["A", 'x "y" $z # w']])).toBe('A="x \\"y\\" \\$z # w"\n');
});

test("says what would be replaced", () => {
  expect(
    replacedIn("A=1\nB=old\n", [
      ["A", "1"],
      ["B", "new"],
      ["C", "x"],
    ]),
  ).toEqual(["B"]);
});

test.each([
  [".env", true],
  ["dist\r\n/.env \r\n", true],
  ["**/.env", true],
  ["*.env", true],
  [".env*", true],
  [".env.local\n# .env\n!.env\n.environment", false],
  ["", false],
])("a .gitignore of %j keeps .env out: %s", (text, isSo) => {
  expect(isIgnored(text)).toBe(isSo);
});

test("keeps the ends of lines, and changes a variable wherever it is set", () => {
  expect(putVariables("A=1\r\n# b\r\nA=2\r\n", [["A", "3"]])).toBe("A=3\r\n# b\r\nA=3\r\n");
  expect(putVariables("X=1\r\n", [["A", "3"]])).toBe("X=1\r\nA=3\r\n");
});
