import { expect, test } from "vitest";
import { toLine, toPlain } from "./plain.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007text", "text"],
  ["\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["a\r\nb\tc", "a\nb\tc"],
  ["over\rwritten\u0008\u007f\u0000", "written"],
  ["10%\r50%\r100%\r\ndone\r", "100%\ndone"],
  ["\u202egnp.exe\u2066", "gnp.exe"],
  ["ünïcode 漢字 🎉", "ünïcode 漢字 🎉"],
])("%j", (text, plain) => {
  expect(toPlain(text)).toBe(plain);
});

test("makes one line of so many characters", () => {
  expect(toLine("a\n  b\u001b[1mc", 10)).toBe("a bc");
  expect(toLine("🎉🎉🎉🎉", 3)).toBe("🎉🎉…");
});
