import { expect, test } from "vitest";
import { columnsOf, fitTo, padTo } from "./columns.ts";

test.each([
  ["", 0],
  ["abc", 3],
  ["中文", 4],
  ["e\u0301a", 2],
  ["👩‍👩‍👧!", 3],
  ["한글 カナ", 9],
  ["–…é", 3],
])("counts the columns of %j", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test("cuts between letters, never inside one, and says that it did", () => {
  expect(fitTo("中文字", 6)).toBe("中文字");
  expect(fitTo("中文字", 5)).toBe("中文…");
  expect(fitTo("中文字", 4)).toBe("中…");
  expect(fitTo("abc", 0)).toBe("");
});

test("pads to columns, not to letters", () => {
  expect(padTo("中", 4)).toBe("中  ");
  expect(padTo("long", 2)).toBe("long");
});
