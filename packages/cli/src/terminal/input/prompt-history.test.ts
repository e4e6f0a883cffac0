import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPromptHistory } from "./prompt-history.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentao-history-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("remembers over sessions, for its owner only", async () => {
  const path = join(folder, "home", "history.jsonl");
  const first = await openPromptHistory(path);
  expect(first.prompts).toEqual([]);
  await first.add("one\nof two lines");
  await first.add("two");
  await first.add("two");
  expect((await openPromptHistory(path)).prompts).toEqual(["one\nof two lines", "two"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("does not remember what begins with a blank, nor a whole book", async () => {
  const path = join(folder, "history.jsonl");
  const history = await openPromptHistory(path);
  await history.add(" secret");
  await history.add("x".repeat(30_000));
  await history.add("kept");
  expect(await readFile(path, "utf8")).toBe('"kept"\n');
});

test("skips what it cannot read, and shortens a file that has grown", async () => {
  const path = join(folder, "history.jsonl");
  const lines = Array.from({ length: 3_000 }, (_, at) => JSON.stringify(`p${at}`));
  await writeFile(path, [...lines, "{torn", ""].join("\n"));
  const { prompts } = await openPromptHistory(path);
  expect(prompts).toHaveLength(99);
  expect(prompts.at(-1)).toBe("p2999");
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(100);
});

test("goes on without a place to write to", async () => {
  const history = await openPromptHistory(undefined);
  await history.add("one");
  const nowhere = await openPromptHistory(join(folder, "file", "x"));
  await writeFile(join(folder, "file"), "");
  await nowhere.add("one");
  expect(history.prompts).toEqual([]);
});
