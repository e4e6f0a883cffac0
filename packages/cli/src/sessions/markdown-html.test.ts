import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownHtml } from "./markdown-html.ts";

test.each([
  ["plain <b>", "<p>plain &lt;b&gt;</p>"],
  ["## What **is** it", "<h4>What <strong>is</strong> it</h4>"],
  ["- one\n- `a**b**`\n  more", "<ul><li>one</li><li><code>a**b**</code>\nmore</li></ul>"],
  [
    "- one\n  - two\n    1. three\n- four",
    '<ul><li>one\n<ul><li>two\n<ol start="1"><li>three</li></ol></li></ul></li><li>four</li></ul>',
  ],
  ["- [x] done\n- [ ] open", "<ul><li>☑ done</li><li>☐ open</li></ul>"],
  ["3. three\n\n4. four\n\nend", '<ol start="3"><li>three</li><li>four</li></ol>\n<p>end</p>'],
  ["before\n```js\n# <no heading>\n```\nafter", "<p>before</p>\n<pre># &lt;no heading&gt;</pre>\n<p>after</p>"],
  ["````\n```\n````", "<pre>```</pre>"],
  ["```\nnever closed", "<pre>never closed</pre>"],
  ["> said\n> - a", "<blockquote><p>said</p>\n<ul><li>a</li></ul></blockquote>"],
  ["a\n\n---\n\nb", "<p>a</p>\n<hr>\n<p>b</p>"],
  [
    "| a | b |\n|---|--:|\n| 1 | `x\\|y` |\nend",
    '<table><thead><tr><th>a</th><th class="right">b</th></tr></thead><tbody><tr><td>1</td><td class="right"><code>x|y</code></td></tr></tbody></table>\n<p>end</p>',
  ],
  [
    "*so* and _so_, ~~not~~ snake_case_name, **`x`**",
    "<p><em>so</em> and <em>so</em>, <s>not</s> snake_case_name, <strong><code>x</code></strong></p>",
  ],
  ["2 ** 3 ** 4 and #tag, 2*3*4", "<p>2 ** 3 ** 4 and #tag, 2*3*4</p>"],
  ["[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"],
  ["[x](https://a.b/?c=1&d=2)", '<p><a href="https://a.b/?c=1&amp;d=2" rel="noreferrer noopener">x</a></p>'],
  ["see https://a.b/c.", '<p>see <a href="https://a.b/c" rel="noreferrer noopener">https://a.b/c</a>.</p>'],
])("%j", (text, html) => {
  expect(markdownHtml(text)).toBe(html);
});

const PIECES = [
  "<",
  ">",
  '"',
  "'",
  "&",
  "`",
  "**",
  "*",
  "_",
  "# ",
  "- ",
  "1. ",
  "> ",
  "|",
  "|-|",
  "\n",
  "```",
  "a",
  " ",
];
const LINKS = ["https://a", "[a](https://a", ")", "[a](javascript:a)"];
const text = fc.array(fc.constantFrom(...PIECES, ...LINKS)).map((parts) => parts.join(""));

test("no text becomes a tag of its own, and only the web is linked", () => {
  const tags =
    /<\/?(?:p|h[3-6]|ul|ol|li|pre|code|strong|em|s|hr|blockquote|table|thead|tbody|tr|th|td|a)(?: (?:class="(?:right|middle)"|start="\d+"|href="https:\/\/[^"<>]*" rel="noreferrer noopener"))?>/g;
  fc.assert(
    fc.property(text, (markdown) => {
      expect(markdownHtml(markdown).replace(tags, "")).not.toMatch(/[<>"']/);
    }),
  );
});

test("every tag is closed where it was opened", () => {
  fc.assert(
    fc.property(text, (markdown) => {
      const open: string[] = [];
      for (const [, slash, name = ""] of markdownHtml(markdown).matchAll(/<(\/?)(\w+)[^>]*>/g)) {
        if (slash === "") open.push(name);
        else expect(open.pop()).toBe(name);
        if (name === "hr") open.pop();
      }
      expect(open).toEqual([]);
    }),
  );
});

test.each(["*", "`", "> ", "- ", "[", "**a ", "|", "https://", "_a", "  - a\n"])(
  "%j without end is told to its end",
  (piece) => {
    expect(markdownHtml(`${piece.repeat(20_000)}\n\nlast`)).toMatch(/last(<\/\w+>)*$/);
  },
);

test("a line of blanks where a table's second should be takes no longer than any other", () => {
  expect(markdownHtml(`a|b\n${" ".repeat(200_000)}x`)).toContain("x</p>");
});
