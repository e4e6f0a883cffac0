// Looking around: what glob, search_file_content and list_directory show and tell, and that nobody is asked for it.

import { symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, type Step, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { only, resultsOf } from "./seen.ts";

const LONG_AGO = new Date("2024-01-01T00:00:00Z");

/** Files that were last touched long ago, so that they come in the order of their names. */
async function putOld(scripted: Scripted, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await utimes(await scripted.put(name, content), LONG_AGO, LONG_AGO);
  }
}

function connect(...calls: readonly Step[]): Promise<Scripted> {
  return connectScripted({ script: [calls, [text("ok")]] });
}

function told({ model }: Scripted): string[] {
  const results = resultsOf(model.asked[1]) ?? [];
  return results.map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""));
}

function shown(listing: string) {
  return [{ type: "content", content: { type: "text", text: `\`\`\`\n${listing}\n\`\`\`` } }];
}

const PROJECT = {
  ".gitignore": "*.log\n/out/\n",
  "debug.log": "needle\n",
  "node_modules/dep/index.ts": "needle\n",
  "out/built.ts": "needle\n",
  "src/a.ts": "one\nneedle here\n",
  "src/deep/b.ts": "needle\n",
  "src/deep/c.txt": "nothing\n",
};

test("glob: what is announced, shown and told; what is ignored is not", async () => {
  await using scripted = await connect(call("glob", { pattern: "**/*.ts" }));
  await putOld(scripted, PROJECT);
  const { cwd } = scripted;

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const rawOutput = "Found 2 file(s):\nsrc/a.ts\nsrc/deep/b.ts";
  expect(only(updates, "tool_call", "tool_call_update")).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      title: "Find **/*.ts in .",
      name: "glob",
      kind: "search",
      status: "pending",
      rawInput: { pattern: "**/*.ts" },
      locations: [{ path: cwd }],
    },
    { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "in_progress" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: "completed",
      content: shown("src/a.ts\nsrc/deep/b.ts"),
      locations: [{ path: join(cwd, "src/a.ts") }, { path: join(cwd, "src/deep/b.ts") }],
      rawOutput,
    },
  ]);
  expect(told(scripted)).toEqual([rawOutput]);
  expect(scripted.asked).toEqual([]);
});

test("search_file_content: each match with its place; what is ignored is not searched", async () => {
  await using scripted = await connect(call("search_file_content", { pattern: "needle", file_pattern: "*.ts" }));
  await putOld(scripted, PROJECT);
  const { cwd } = scripted;

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const lines = "src/a.ts:2: needle here\nsrc/deep/b.ts:1: needle";
  const rawOutput = `Found 2 match(es) in 2 file(s):\n${lines}`;
  expect(only(updates, "tool_call", "tool_call_update")).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      title: 'Search "needle" in . (*.ts)',
      name: "search_file_content",
      kind: "search",
      status: "pending",
      rawInput: { pattern: "needle", file_pattern: "*.ts" },
      locations: [{ path: cwd }],
    },
    { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "in_progress" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: "completed",
      content: shown(lines),
      locations: [
        { path: join(cwd, "src/a.ts"), line: 2 },
        { path: join(cwd, "src/deep/b.ts"), line: 1 },
      ],
      rawOutput,
    },
  ]);
  expect(told(scripted)).toEqual([rawOutput]);
  expect(scripted.asked).toEqual([]);
});

test("list_directory, recursive: a tree that names what it does not enter", async () => {
  await using scripted = await connect(call("list_directory", { recursive: true }));
  await putOld(scripted, PROJECT);
  const { cwd } = scripted;

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const listing = [
    "[DIR] node_modules (not listed)",
    "[DIR] out (not listed)",
    "[DIR] src",
    "  [DIR] deep",
    "    [FILE] b.ts (7 bytes)",
    "    [FILE] c.txt (8 bytes)",
    "  [FILE] a.ts (16 bytes)",
    "[FILE] .gitignore (12 bytes)",
  ].join("\n");
  expect(only(updates, "tool_call")).toMatchObject([
    { title: "List .", kind: "read", locations: [{ path: cwd }], rawInput: { recursive: true } },
  ]);
  expect(only(updates, "tool_call_update").at(-1)).toMatchObject({ status: "completed", content: shown(listing) });
  expect(told(scripted)).toEqual([`Directory: ${cwd}\n${listing}\n(ignored files that are not listed: 1)`]);
  expect(scripted.asked).toEqual([]);
});

test("what would be endless is bounded, and says so", async () => {
  await using scripted = await connect(
    call("glob", { pattern: "many/*" }),
    call("search_file_content", { pattern: "needle", directory: "many" }),
    call("list_directory", { directory_path: ".", recursive: true }),
  );
  const names = Array.from({ length: 300 }, (_, at) => `many/${String(at).padStart(3, "0")}.txt`);
  await putOld(scripted, Object.fromEntries(names.map((name) => [name, "needle\n".repeat(30)])));

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const [found = "", matches = "", tree = ""] = told(scripted).map((one) => one.replaceAll(scripted.cwd, ""));
  expect(found.split("\n")).toEqual([
    "Found 300 file(s):",
    ...names.slice(0, 200),
    "… and 100 more. Narrow the pattern or name a directory to see them.",
  ]);
  expect(matches.split("\n")).toEqual([
    "Found 9000 match(es) in 300 file(s):",
    ...names.slice(0, 5).flatMap((name) => Array.from({ length: 20 }, (_, at) => `${name}:${at + 1}: needle`)),
    "… and 8900 more matches. Narrow the pattern, file_pattern or directory to see them.",
  ]);
  expect(tree.split("\n").at(-1)).toBe("  … and 100 more");
  expect(tree.split("\n")).toHaveLength(203);
  const locations = only(updates, "tool_call_update").flatMap((update) => (update.locations ? [update.locations] : []));
  expect(locations.map(({ length }) => length)).toEqual([20, 20]);
});

test("nothing is found through a link that leads out, and a name that wants to be two lines stays one", async () => {
  await using scripted = await connect(
    call("glob", { pattern: "**/*" }),
    call("search_file_content", { pattern: "secret" }),
    call("list_directory", { recursive: true }),
  );
  await putOld(scripted, { "two\nlines.txt": "x\n", "../elsewhere/key.txt": "secret\n" });
  await symlink(join(scripted.cwd, "../elsewhere"), join(scripted.cwd, "link"));

  await scripted.prompt(await scripted.open(), "go");

  const [found, matches, tree] = told(scripted);
  expect(found).toMatch(/^Found 1 file\(s\):\n[^\n]*two[^\n]*lines\.txt[^\n]*$/);
  expect(matches).toBe("No matches found for pattern: secret.");
  expect(tree).toContain("link");
  expect(tree).not.toContain("key.txt");
});

// Defect: list_directory tells names and the targets of links as they are, glob and search_file_content do not. A name
// with a line break in it is two entries for the model, one of which is not there.
test("list_directory keeps a name that wants to be two lines in one", async () => {
  await using scripted = await connect(call("list_directory"));
  await putOld(scripted, { "two\n[DIR] lines": "x\n" });

  await scripted.prompt(await scripted.open(), "go");

  expect(told(scripted)[0]?.split("\n")).toHaveLength(2);
});

test("what cannot be searched is a failure that says why, and the others go on", async () => {
  await using scripted = await connect(
    call("search_file_content", { pattern: "(", regex: true }),
    call("glob", { pattern: "*", directory: "none" }),
    call("list_directory", { directory_path: "a.txt" }),
    call("glob", { pattern: "*.txt" }),
  );
  await putOld(scripted, { "a.txt": "x\n" });

  await scripted.prompt(await scripted.open(), "go");

  expect(resultsOf(scripted.model.asked[1])?.map((result) => ("failed" in result ? result.failed : undefined))).toEqual(
    [true, true, true, false],
  );
  expect(told(scripted).map((one) => one.replaceAll(scripted.cwd, "…"))).toEqual([
    expect.stringMatching(/^Error: .*(unclosed|group|parenthes)/is),
    expect.stringContaining("none"),
    expect.stringContaining("a.txt"),
    "Found 1 file(s):\na.txt",
  ]);
});
