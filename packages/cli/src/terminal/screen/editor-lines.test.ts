import { expect, test } from "vitest";
import { createPaint } from "../view/paint.ts";
import { editorLines } from "./editor-lines.ts";

const { quiet } = createPaint(true);

test("colours a border once, not every character of it", () => {
  const border = quiet("─").repeat(80);
  expect(editorLines([border, "typed   ", border], quiet)).toEqual([
    quiet("─".repeat(80)),
    "typed",
    quiet("─".repeat(80)),
  ]);
  expect(editorLines(["─".repeat(80)], (text) => text)).toEqual(["─".repeat(80)]);
});

test("names large pastes by how long they are", () => {
  const lines = ["see [paste #3 +40 lines] and [paste #4 1200 chars]  "];
  expect(editorLines(lines, quiet)).toEqual(["see [pasted 40 lines] and [pasted 1200 characters]"]);
});
