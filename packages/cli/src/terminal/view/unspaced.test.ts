import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPaint } from "./paint.ts";
import { isUnspaced, wrapUnspaced } from "./unspaced.ts";

const { strong, code } = createPaint(true);

test.each<[string, string, number, string[]]>([
  ["fills its lines", "使用 React 组件来渲染页面的主要内容", 16, ["使用 React 组件", "来渲染页面的主要", "内容"]],
  ["keeps blanks to the last column", "日 a b 日 c", 6, ["日 a b", "日 c"]],
  ["keeps words whole", "打开config文件", 8, ["打开", "config文", "件"]],
  ["begins no line with what closes", "一二三四。五六", 8, ["一二三", "四。五六"]],
  ["ends no line with what opens", "一二三（四五）六", 8, ["一二三", "（四五）", "六"]],
  ["lets small kana stand with theirs", "あいうえっか", 8, ["あいう", "えっか"]],
])("%s", (_, text, width, lines) => {
  expect(wrapUnspaced(text, width)).toEqual(lines);
});

test("goes on under a margin, with the styles that are on", () => {
  const link = "\u001b]8;;a://b\u001b\\六\u001b]8;;\u001b\\";
  expect(wrapUnspaced(`- ${strong(`一二${code("三四")}五${link}`)} ${code("七")}`, 8, "  ")).toEqual([
    "- \u001b[1m一二\u001b[35m三",
    `  \u001b[1m\u001b[35m四\u001b[39m五${link}\u001b[22m`,
    "  \u001b[35m七\u001b[39m",
  ]);
});

test("leaves Korean and what has blanks to others", () => {
  expect(["한국어도", "words", "日本", "カナ"].map(isUnspaced)).toEqual([false, false, true, true]);
});

test("loses nothing, and is never wider than it may be", () => {
  const text = fc.array(
    fc.constantFrom("日", "。", "（", "ア", "word", " ", "  ", "한", "e\u0301", "😀", strong("中"), code("x y")),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 20 }), (parts, width) => {
      const lines = wrapUnspaced(parts.join(""), width, " ");
      for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
      const bare = (said: string) => stripVTControlCharacters(said).replaceAll(" ", "");
      expect(bare(lines.join(""))).toBe(bare(parts.join("")));
    }),
  );
});
