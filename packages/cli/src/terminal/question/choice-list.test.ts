import { expect, test } from "vitest";
import { createPaint } from "../view/paint.ts";
import { type ChoiceKey, type ChoiceList, choiceView, createChoiceList, pressKey } from "./choice-list.ts";

const choices = ["one", "two", "three"].map((id) => ({ id, label: id.toUpperCase() }));

function press(list: ChoiceList, ...keys: ChoiceKey[]): unknown {
  let now = list;
  for (const key of keys) {
    const step = pressKey(now, key);
    if (step.type !== "moved") return step;
    now = step.list;
  }
  return { at: now.at, marked: [...now.marked] };
}

test.each<[string, ChoiceKey[], unknown]>([
  ["takes the first", ["enter"], { type: "chosen", ids: ["one"] }],
  ["goes down", ["down", "enter"], { type: "chosen", ids: ["two"] }],
  ["goes up around the end", ["up", "enter"], { type: "chosen", ids: ["three"] }],
  ["goes down around the end", ["down", "down", "down"], { at: 0, marked: [] }],
  ["takes a number", ["2"], { type: "chosen", ids: ["two"] }],
  ["ignores a number that is not there", ["7"], { at: 0, marked: [] }],
  ["pages to the end", ["page-down"], { at: 2, marked: [] }],
  ["lets go", ["down", "escape"], { type: "escaped" }],
  ["ignores marks where one is chosen", ["space"], { at: 0, marked: [] }],
])("%s", (_, keys, outcome) => {
  expect(press(createChoiceList(choices), ...keys)).toEqual(outcome);
});

test.each<[string, ChoiceKey[], unknown]>([
  ["marks several", ["space", "down", "down", "space", "enter"], { type: "chosen", ids: ["one", "three"] }],
  ["marks by number", ["3", "1", "enter"], { type: "chosen", ids: ["one", "three"] }],
  ["takes a mark back", ["1", "1"], { at: 0, marked: [] }],
  ["takes the one it stands on without marks", ["down", "enter"], { type: "chosen", ids: ["two"] }],
])("of several: %s", (_, keys, outcome) => {
  expect(press(createChoiceList(choices, true), ...keys)).toEqual(outcome);
});

test("shows numbers, and where it stands", () => {
  const view = { width: 12, paint: createPaint(false), maxChoices: 9, maxLines: 5 };
  expect(choiceView(createChoiceList(choices), view)).toEqual(["❯ 1 ONE", "  2 TWO", "  3 THREE"]);
  const marked = pressKey(createChoiceList(choices, true), "2");
  expect(marked.type === "moved" && choiceView(marked.list, view)).toEqual([
    "  1 [ ] ONE",
    "❯ 2 [x] TWO",
    "  3 [ ] THRE",
    "        E",
  ]);
});

test("shows a part of a long list around where it stands", () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, label: `entry ${at}` }));
  const list = { ...createChoiceList(many), at: 20 };
  const shown = ["    entry 19", "❯   entry 20", "    entry 21", "  21/30"];
  const paint = createPaint(false);
  expect(choiceView(list, { width: 40, paint, maxChoices: 9, maxLines: 3 })).toEqual(shown);
  expect(choiceView(list, { width: 40, paint, maxChoices: 3, maxLines: 9 })).toEqual(shown);
});

const ALWAYS = [
  { id: "once", label: "Allow once" },
  { id: "always", label: "Always allow `npm test …` and `npm publish …`" },
  { id: "exact", label: "Always allow exactly `npm test && npm publish`" },
  { id: "no", label: "Reject once" },
];

test("shows every word of a choice, whatever the width", () => {
  const paint = createPaint(false);
  expect(choiceView(createChoiceList(ALWAYS), { width: 30, paint, maxChoices: 9, maxLines: 9 })).toEqual([
    "❯ 1 Allow once",
    "  2 Always allow `npm test …`",
    "    and `npm publish …`",
    "  3 Always allow exactly `npm",
    "    test && npm publish`",
    "  4 Reject once",
  ]);
});

test.each([
  [0, ["❯ 1 Allow once", "  2 Always allow `npm test …`", "    and `npm publish …`", "  1/4"]],
  [1, ["  1 Allow once", "❯ 2 Always allow `npm test …`", "    and `npm publish …`", "  2/4"]],
  [2, ["❯ 3 Always allow exactly `npm", "    test && npm publish`", "  4 Reject once", "  3/4"]],
  [3, ["  3 Always allow exactly `npm", "    test && npm publish`", "❯ 4 Reject once", "  4/4"]],
])("scrolls by whole choices, standing on number %i", (at, lines) => {
  const list = { ...createChoiceList(ALWAYS), at };
  expect(choiceView(list, { width: 30, paint: createPaint(false), maxChoices: 9, maxLines: 3 })).toEqual(lines);
});

test("says how much of a choice is missing that is longer than the screen", () => {
  const list = createChoiceList([{ id: "long", label: "word ".repeat(40) }]);
  const lines = choiceView(list, { width: 14, paint: createPaint(false), maxChoices: 9, maxLines: 3 });
  expect(lines).toEqual(["❯ 1 word word", "    word word", "    … 18 more…"]);
});
