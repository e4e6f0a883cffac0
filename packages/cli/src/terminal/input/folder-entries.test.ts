import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { folderEntries, isWay } from "./folder-entries.ts";

let base = "";
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "agentao-entries-"));
  await mkdir(join(base, "here"));
  await mkdir(join(base, "beside"));
  await mkdir(join(base, "beside", ".hidden"));
  for (const name of ["beside/a b.md", "beside/Apple.md", "beside/z.md"]) await writeFile(join(base, name), "");
});
afterAll(() => rm(base, { recursive: true, force: true }));

test.each<[string, string[]]>([
  ["../", ["../beside/", "../here/"]],
  ["../be", ["../beside/"]],
  ["../beside/", ["../beside/Apple.md", "../beside/a b.md", "../beside/z.md"]],
  ["../beside/A", ["../beside/Apple.md", "../beside/a b.md"]],
  ["../beside/.", ["../beside/.hidden/"]],
  ["./nothing/", []],
])("offers for %s", async (typed, found) => {
  expect(await folderEntries(typed, join(base, "here"), 20)).toEqual(found);
});

test("offers what is there by its whole path, and not more than asked for", async () => {
  expect(await folderEntries(`${base}/`, "/", 1)).toEqual([`${base}/beside/`]);
});

test.each([
  ["~/x", true],
  ["/etc", true],
  ["./x", true],
  ["../x", true],
  ["src/x", false],
  [".x", false],
  ["~x", false],
])("%s is a way: %s", (typed, is) => {
  expect(isWay(typed)).toBe(is);
});
