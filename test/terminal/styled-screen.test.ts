// Reading a screen, and what is made the same on it.

import { expect, test } from "vitest";
import { toGolden } from "./golden.ts";
import { steadyRow } from "./steady-screen.ts";
import { parseScreen, rowText, toRuns } from "./styled-screen.ts";

const ESC = "\u001b";

test("gives every character its column and its style, from row to row", () => {
  const rows = parseScreen(
    `${ESC}[1;36m日本${ESC}[0m a${ESC}[2m\nb ${ESC}[22;38;5;200;48;2;1;2;255mc${ESC}[39;49m d  \n\n`,
  );
  expect(rows.map(toRuns)).toEqual([
    [
      { column: 0, columns: 4, text: "日本", style: "bold cyan" },
      { column: 4, columns: 2, text: " a", style: "" },
    ],
    [
      { column: 0, columns: 2, text: "b ", style: "dim" },
      { column: 2, columns: 1, text: "c", style: "colour-200 on-#0102ff" },
      { column: 3, columns: 2, text: " d", style: "" },
    ],
  ]);
});

test("takes links and bright colours", () => {
  const [row = []] = parseScreen(`${ESC}]8;;https://example.org${ESC}\\${ESC}[4;91mhere${ESC}]8;;${ESC}\\`);
  expect(toRuns(row)).toEqual([{ column: 0, columns: 4, text: "here", style: "underline bright-red" }]);
});

test.each([
  ["∴ thought for 0.4 s", "∴ thought"],
  ["∴ thought for 1 min 5 s", "∴ thought"],
  ["✓ npm test                12 s", "✓ npm test"],
  ["✓ Edit a.ts        +1 −1 0.1 s", "✓ Edit a.ts              +1 −1"],
  ["✓ Edit a.ts              +1 −1", "✓ Edit a.ts              +1 −1"],
  ["⠼ Working 12 s · Esc to stop", "⠋ Working · Esc to stop"],
  [
    "agentao-aB3xY9/project sess_00ff00ff00ff00ff00ff00ff00ff00ff.",
    "agentao-screen/project sess_0123456789abcdef0123456789abcdef.",
  ],
  ["日本 sleeps for 3 s a day", "日本 sleeps for 3 s a day"],
])("makes %j the same in every run", (shown, steady) => {
  expect(rowText(steadyRow(parseScreen(shown)[0] ?? []))).toBe(steady);
});

test("writes a screen down for a person", () => {
  const shown = `${ESC}[36m❯ ${ESC}[1;39mhello${ESC}[0m\n${ESC}[2m────────────\n${ESC}[0;7m ${ESC}[0m\n`;
  expect(toGolden(parseScreen(shown))).toBe(`❯ hello
────────────
█

=== styles ===
cyan "❯ "  bold "hello"
dim "─" × 12
reverse " "
`);
});
