import { expect, test } from "vitest";
import { createQuietLog, MAX_LINE_CHARS, MAX_LINES } from "./quiet-log.ts";

test("says only so much in a while, and counts the rest", () => {
  let now = 0;
  const said: string[] = [];
  const log = createQuietLog(
    (line) => said.push(line),
    () => now,
  );

  for (let at = 0; at < MAX_LINES + 7; at++) log.say(`line ${at}`);
  now = 10_000;
  log.say("later");
  log.end();

  expect(said.slice(MAX_LINES - 1)).toEqual([`line ${MAX_LINES - 1}`, "(7 more lines left out)", "later"]);
});

test("cuts long lines", () => {
  const said: string[] = [];
  createQuietLog((line) => said.push(line)).say("x".repeat(MAX_LINE_CHARS + 1));

  expect(said).toEqual([`${"x".repeat(MAX_LINE_CHARS)}…`]);
});
