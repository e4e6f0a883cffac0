// A screen as a text that a person can compare: what it shows, and below it which words stand in which style.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { settle } from "./settle.ts";
import { steadyRow } from "./steady-screen.ts";
import { type Row, type Run, screenText, toRuns } from "./styled-screen.ts";
import type { TmuxTerminal } from "./tmux.ts";

/** Waits for the screen of that file; where it is not to be had, compares the one that remains. */
export async function expectScreen(
  terminal: TmuxTerminal,
  file: URL,
  isWanted: (screen: string) => boolean,
): Promise<string> {
  const golden = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const rows = await settle(terminal, { isWanted, isExpected: (seen) => toGolden(seen) === golden });
  const shown = toGolden(rows);
  await expect(shown).toMatchFileSnapshot(fileURLToPath(file));
  return shown;
}

export function toGolden(rows: readonly Row[]): string {
  const steady = rows.map(steadyRow);
  const styles = steady.map(styleLine).filter((line) => line !== "");
  return `${screenText(steady.map(withCursor))}\n\n=== styles ===\n${styles.join("\n")}\n`;
}

/** The cursor is a blank in reverse, which nobody would see. */
function withCursor(row: Row): Row {
  return row.map((cell) => (cell.text === " " && cell.style === "reverse" ? { ...cell, text: "█" } : cell));
}

function styleLine(row: Row): string {
  return toRuns(row)
    .filter(({ style }) => style !== "")
    .map(runWords)
    .join("  ");
}

function runWords({ style, text }: Run): string {
  const isLine = /^(.)\1{9,}$/u.exec(text);
  return isLine === null ? `${style} "${text}"` : `${style} "${isLine[1]}" × ${text.length}`;
}
