// The gate: no statement of the conformance list is forgotten, and none is claimed that no test shows.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { cited, deferred, shownBy } from "./requirements.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("every statement that is said to be cited is cited by a test", () => {
  const found = citations();
  expect(cited.filter((id) => !found.has(id))).toEqual([]);
});

test("every other one is shown by a file that exists, or put off with a reason", () => {
  expect(Object.values(shownBy).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(Object.entries(deferred).filter(([, reason]) => reason.length < 10)).toEqual([]);
});

test("none stands in two lists, and all of them make the list", () => {
  const all = [...cited, ...Object.keys(shownBy), ...Object.keys(deferred)];
  expect(all.length).toBe(new Set(all).size);
  expect(all.length).toBe(210);
});

/** Ids in tests, also as "C-220 … C-228". */
function citations(): Set<string> {
  const found = new Set<string>();
  for (const path of testFiles()) {
    const text = readFileSync(path, "utf8");
    for (const [id] of text.matchAll(/\b(?:C-\d+[a-z]?|Z-\d+)\b/g)) found.add(id);
    for (const [, from, to] of text.matchAll(/C-(\d+) … C-(\d+)/g)) {
      for (let at = Number(from); at <= Number(to); at++) found.add(`C-${String(at).padStart(3, "0")}`);
    }
  }
  return found;
}

function testFiles(): string[] {
  const folders = ["test", "packages/acp/src", "packages/agent/src", "packages/cli/src"];
  return folders.flatMap((folder) => {
    const paths = readdirSync(join(root, folder), { recursive: true }) as string[];
    return paths
      .filter((path) => path.endsWith(".ts") && (folder === "test" || path.endsWith(".test.ts")))
      .filter((path) => !path.startsWith("requirements"))
      .map((path) => join(root, folder, path));
  });
}
