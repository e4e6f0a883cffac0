import { expect, test } from "vitest";
import { createCompletion, wordBefore } from "./completion.ts";

const commands = [
  { name: "model", description: "Choose the model", hint: "[name]" },
  { name: "mode", description: "Choose the mode" },
  { name: "help", description: "Help" },
];
const completion = createCompletion({
  commands: () => commands,
  files: { folder: () => "/nowhere", list: async () => ["src/main.ts", "src/terminal/screen.ts", "read me.txt"] },
  agents: async () => [
    { name: "screener", description: "looks at screens" },
    { name: "main", description: "" },
  ],
});
const signal = new AbortController().signal;

async function offered(text: string): Promise<string[] | null> {
  const lines = text.split("\n");
  const line = lines.length - 1;
  const found = await completion.getSuggestions(lines, line, lines[line]?.length ?? 0, { signal });
  return found?.items.map(({ value }) => value) ?? null;
}

test.each<[string, string[] | null]>([
  ["/mo", ["/model", "/mode"]],
  ["/", ["/model", "/mode", "/help"]],
  ["/model x", null],
  ["say /mo", null],
  ["first\n/mo", null],
  ["read @scr", ["@src/terminal/screen.ts"]],
  ["read @srcmain", ["@src/main.ts"]],
  ['read @"read', ['@"read me.txt"']],
  ["@scr", ["@screener", "@src/terminal/screen.ts"]],
  ["first\n@scr", ["@src/terminal/screen.ts"]],
  ["mail me@x", null],
  ["plain words", null],
])("offers for %j", async (text, values) => {
  expect(await offered(text)).toEqual(values);
});

test("says which of what is offered are agents", async () => {
  const found = await completion.getSuggestions(["@main"], 0, 5, { signal });
  expect(found?.items).toEqual([
    { value: "@main", label: "@main", description: "agent" },
    { value: "@src/main.ts", label: "src/main.ts" },
  ]);
  expect((await completion.getSuggestions(["@scr"], 0, 4, { signal }))?.items[0]?.description).toBe(
    "agent: looks at screens",
  );
});

test("puts what was chosen in the place of what was typed, and a blank behind it", () => {
  const item = { value: "@src/main.ts", label: "src/main.ts" };
  expect(completion.applyCompletion(["read @ma now"], 0, 8, item, "@ma")).toEqual({
    lines: ["read @src/main.ts now"],
    cursorLine: 0,
    cursorCol: 18,
  });
});

test("leaves alone what was typed on since it was offered", () => {
  const untouched = { lines: ["/mode"], cursorLine: 0, cursorCol: 5 };
  expect(completion.applyCompletion(["/mode"], 0, 5, { value: "/help", label: "/help" }, "/")).toEqual(untouched);
});

test("sees a word only where it begins", () => {
  expect(wordBefore("a @b", 3)).toBe("@b");
  expect(wordBefore("a@b", 3)).toBeUndefined();
});

test("cuts a hint that is too long for the list, and says so", async () => {
  const hint = "[what to keep in mind of it all]";
  const long = createCompletion({
    commands: () => [{ name: "compact", description: "Sum up", hint }],
    files: { folder: () => "/nowhere", list: async () => [] },
    agents: async () => [],
  });
  const found = await long.getSuggestions(["/co"], 0, 3, { signal });
  expect(found?.items.map(({ label }) => label)).toEqual(["/compact [what to keep in min…"]);
});
