import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownHtml } from "./markdown-html.ts";

test.each([
  ["plain <b>", '<div class="prose">plain &lt;b&gt;</div>'],
  ["## What **is** it", "<h3>What <strong>is</strong> it</h3>"],
  [
    "- one\n- `a**b**`\n  more",
    '<ul class="list"><li class="prose">one</li><li class="prose"><code>a**b**</code>\n  more</li></ul>',
  ],
  ["3. three\n4. four", '<ol start="3"><li class="prose">three</li><li class="prose">four</li></ol>'],
  [
    "before\n```js\n# <no heading>\n```\nafter",
    '<div class="prose">before</div>\n<pre># &lt;no heading&gt;</pre>\n<div class="prose">after</div>',
  ],
  ["2 ** 3 ** 4 and #tag", '<div class="prose">2 ** 3 ** 4 and #tag</div>'],
  ["[x](javascript:alert(1))", '<div class="prose">[x](javascript:alert(1))</div>'],
])("%j", (text, html) => {
  expect(markdownHtml(text)).toBe(html);
});

test("no text becomes a tag of its own", () => {
  const ours = /<\/?(?:div|h3|ul|ol|li|pre|code|strong)(?: (?:class="(?:prose|list)"|start="\d+"))?>/g;
  const text = fc.array(fc.constantFrom("<", ">", '"', "'", "&", "`", "**", "# ", "- ", "1. ", "\n", "```", "a", " "));
  fc.assert(
    fc.property(text, (parts) => {
      expect(markdownHtml(parts.join("")).replace(ours, "")).not.toMatch(/[<>"']/);
    }),
  );
});
