import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TemporaryMachine, temporaryMachine } from "../../machine/temporary-machine.ts";
import { text } from "../../message/message.ts";
import { planTool, runTool, type ScriptedRoom, scriptedRoom, told } from "../scripted-room.ts";
import { searchFileContent } from "./search-file-content.ts";

const LONG_AGO = new Date("2020-01-01");

let here: TemporaryMachine;
let room: ScriptedRoom;

beforeEach(async () => {
  here = await temporaryMachine();
  room = scriptedRoom(here.machine, here.root);
});

afterEach(() => here[Symbol.asyncDispose]());

async function put(name: string, content: string): Promise<string> {
  const path = await here.put(name, content);
  await utimes(path, LONG_AGO, LONG_AGO);
  return path;
}

test("announces what it looks for, and where", () => {
  const path = join(here.root, "src");

  expect(planTool(searchFileContent, { pattern: "foo", directory: "src" }, room)).toEqual({
    title: 'Search "foo" in src',
    kind: "search",
    locations: [{ path }],
    effect: { type: "read", paths: [path] },
  });
  expect(planTool(searchFileContent, { query: "x".repeat(99), include: "*.ts" }, room).title).toBe(
    `Search "${"x".repeat(59)}…" in . (*.ts)`,
  );
});

test("tells lines with their places, and leads the client to them", async () => {
  const a = await put("src/a.ts", "one\n  foo();\n");
  const b = await put("b.ts", "foo\n");

  expect(await runTool(searchFileContent, { pattern: "foo" }, room)).toEqual({
    told: [text("Found 2 match(es) in 2 file(s):\nb.ts:1: foo\nsrc/a.ts:2:   foo();")],
    content: [text("```\nb.ts:1: foo\nsrc/a.ts:2:   foo();\n```")],
    locations: [
      { path: b, line: 1 },
      { path: a, line: 2 },
    ],
  });
});

test("hands every choice on", async () => {
  await put("a.ts", "Foo1\nfoo2\n");
  await put("a.js", "foo3\n");
  const search = async (input: Record<string, unknown>) =>
    told(await runTool(searchFileContent, input, room))
      .split("\n")
      .slice(1);

  expect(await search({ pattern: "foo", file_pattern: "*.ts" })).toEqual(["a.ts:2: foo2"]);
  expect(await search({ pattern: "foo", case_sensitive: false, directory: "a.ts" })).toEqual([
    "a.ts:1: Foo1",
    "a.ts:2: foo2",
  ]);
  expect(await search({ pattern: "^[a-z]+3$", regex: true })).toEqual(["a.js:1: foo3"]);
});

test("says how many matches were left out", async () => {
  for (let at = 1; at <= 7; at++) await put(`${at}`, "foo\n".repeat(21));

  const outcome = await runTool(searchFileContent, { pattern: "foo" }, room);

  const lines = told(outcome).split("\n");
  expect(lines).toHaveLength(1 + 100 + 1);
  expect(lines[0]).toBe("Found 147 match(es) in 7 file(s):");
  expect(lines.at(-2)).toBe("5:20: foo");
  expect(lines.at(-1)).toBe("… and 47 more matches. Narrow the pattern, file_pattern or directory to see them.");
  expect(outcome.locations).toHaveLength(20);
});

test.each([
  ["too-many", "There are more than could be counted."],
  ["too-long", "The search took too long and was ended: there may be others. Name a directory."],
] as const)("says that it did not see everything: %s", async (ended, sentence) => {
  const matches = [{ path: join(here.root, "a"), line: 1, text: "foo" }];
  const machine = { ...here.machine, searchText: async () => ({ matches, total: 1, files: 1, ended }) };

  expect(told(await runTool(searchFileContent, { pattern: "foo" }, scriptedRoom(machine, here.root)))).toBe(
    `Found at least 1 match(es) in 1 file(s):\na:1: foo\n${sentence}`,
  );
});

test("says that there is nothing", async () => {
  await put("a.ts", "x");

  expect(told(await runTool(searchFileContent, { pattern: "foo", file_pattern: "*.ts" }, room))).toBe(
    "No matches found for pattern: foo in files matching *.ts.",
  );
});

test.each([
  [{ pattern: "" }, "pattern must not be empty"],
  [{ pattern: "a\0" }, "pattern must not contain a NUL character: binary files are not searched"],
  [{ pattern: "a\nb" }, "pattern must be one line: files are searched line by line"],
  [{ pattern: "a\\nb", regex: true }, "pattern must not contain \\n: files are searched line by line"],
  [
    { pattern: "a", file_pattern: "../*.ts" },
    "file_pattern must be a pattern below the directory; name another place by directory",
  ],
  [
    { pattern: "a", file_pattern: "/etc/*" },
    "file_pattern must be a pattern below the directory; name another place by directory",
  ],
  [{}, "pattern is required"],
])("refuses %o", (input, problem) => {
  expect(searchFileContent.parse(input)).toEqual({ problem });
});

test("takes a backslash before an n for what it is", () => {
  expect(searchFileContent.parse({ pattern: "a\\\\n", regex: true })).toHaveProperty("input");
  expect(searchFileContent.parse({ pattern: "a\\n" })).toHaveProperty("input");
});

test("fails with a reason when the expression is not valid", async () => {
  await expect(runTool(searchFileContent, { pattern: "(", regex: true }, room)).rejects.toThrow(
    "The pattern is not a valid regular expression: unclosed group",
  );
});
