import { expect, test } from "vitest";
import { createCompletion, wordBefore } from "./completion.ts";

const commands = [
  { name: "model", description: "Choose the model", hint: "[name]" },
  { name: "mode", description: "Choose the mode" },
  { name: "help", description: "Help" },
];
const completion = createCompletion(() => commands, {
  list: async () => ["src/main.ts", "src/terminal/screen.ts", "read me.txt"],
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
  ["mail me@x", null],
  ["plain words", null],
])("offers for %j", async (text, values) => {
  expect(await offered(text)).toEqual(values);
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
