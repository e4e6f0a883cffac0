import { expect, test } from "vitest";
import { createPathSearch } from "./path-search.ts";

const PATHS = [
  "src/",
  "src/main.ts",
  "src/terminal/",
  "src/terminal/screen/domain.ts",
  "Main.md",
  "docs/domain/",
  "z.ts",
];

test.each<[string, string[]]>([
  ["main", ["Main.md", "src/main.ts", "docs/domain/", "src/terminal/screen/domain.ts"]],
  ["MAIN.", ["Main.md", "src/main.ts", "src/terminal/screen/domain.ts"]],
  ["src/t", ["src/terminal/", "src/terminal/screen/domain.ts", "src/main.ts"]],
  ["term", ["src/terminal/", "src/terminal/screen/domain.ts"]],
  ["srcmain", ["src/main.ts", "src/terminal/screen/domain.ts"]],
  ["", ["src/", "Main.md", "z.ts", "src/main.ts", "src/terminal/", "docs/domain/", "src/terminal/screen/domain.ts"]],
  ["nowhere", []],
])("finds by %j", (typed, found) => {
  expect(createPathSearch(PATHS)(typed, 20)).toEqual(found);
});

test("gives the best of many", () => {
  const many = Array.from({ length: 60_000 }, (_, at) => `package-${at % 300}/source/module-${at}.ts`);
  const search = createPathSearch([...many, "last/module.ts"]);
  expect(search("module", 3)).toEqual([
    "last/module.ts",
    "package-0/source/module-0.ts",
    "package-1/source/module-1.ts",
  ]);
  expect(search("last", 3)).toEqual(["last/module.ts"]);
});
