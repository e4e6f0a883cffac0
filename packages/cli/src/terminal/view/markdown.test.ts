import { Markdown } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMarkdown } from "./markdown.ts";
import { toTheme } from "./markdown-block.ts";
import { createPaint } from "./paint.ts";

const DOCUMENT = `# Title

A paragraph with **bold** text, and then:
- a
- b with \`code\`
  - nested
  - more

    still more

* loose

* list

1. one

   still one
2. two
7. counted

**Bold** at the margin.

2024 is no list.

\`\`\`
const a = 1;

  const b = 2;
\`\`\`
After code.

| a | b |
|---|---|
| 1 | 日本 |

> quote
- after a quote

---

- item with code
  ~~~
  - no item

  ~~~
- next

> one

> other

The end.`;

const paint = createPaint(true);

/** As the library draws it in one piece. */
function uncut(text: string, width: number): string[] {
  const lines = new Markdown(text, 0, 0, toTheme(paint)).render(width).map((line) => line.trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}

test.each([24, 40, 100])("looks in %i columns as if it were never cut", (width) => {
  expect(createMarkdown(paint)(DOCUMENT, width)).toEqual(uncut(DOCUMENT, width));
});

test("colours code by its language, over lines and however it came", () => {
  const text = "```TS\n/* a\nif */ if\n```\n\n```\nif\n```";
  const { quiet, code } = paint;
  const growing = createMarkdown(paint);
  for (let end = 1; end < text.length; end++) growing(text.slice(0, end), 20);
  expect(growing(text, 20)).toEqual([
    quiet("```TS"),
    `  ${quiet("/*")}${quiet(" a")}`,
    `  ${quiet("if */")} ${code("if")}`,
    quiet("```"),
    "",
    quiet("```"),
    "  if",
    quiet("```"),
  ]);
});

test("colours code in an item of a list", () => {
  const lines = createMarkdown(paint)("- a\n  ```js\n  if\n  ```", 20);
  expect(lines[2]).toBe(`    ${paint.code("if")}`);
});

test("fills lines of what is written without blanks", () => {
  const text = "- 使用 **React** 组件来渲染页面的主要内容\n\n引用：使用 `React` 组件来渲染页面的主要内容";
  expect(createMarkdown(createPaint(false))(text, 18)).toEqual([
    "- 使用 React 组件",
    "  来渲染页面的主要",
    "  内容",
    "",
    "引用：使用 React",
    "组件来渲染页面的主",
    "要内容",
  ]);
});

test("shows the characters that names stand for, but not in code", () => {
  const render = createMarkdown(createPaint(false));
  expect(render("a &lt;b&gt; &amp;lt; `&lt;` &copy;\n\n&gt; no quote\n\n```\n&lt;\n```", 40)).toEqual([
    "a <b> &lt; &lt; &copy;",
    "",
    "> no quote",
    "",
    "```",
    "  &lt;",
    "```",
  ]);
});

test("keeps code in its margin, and closes a code block that has not ended", () => {
  const render = createMarkdown(createPaint(false));
  expect(render("```sh\necho one two three", 12)).toEqual(["```sh", "  echo one", "  two three", "```"]);
});

describe("a text that grows", () => {
  const words = [
    "a ",
    "**b** ",
    "`c` ",
    "日本 ",
    "- ",
    "1. ",
    "2. ",
    "# ",
    "> ",
    "| x | y |\n|---|---|\n",
    "```",
    "\n",
  ];
  const text = fc
    .array(
      fc.constantFrom(...words, "\n\n", "\n\n", "\n- ", "\n  ", "\n2. ", "\n```\n", "*", "\u001b[31m", "\r", "[x](y) "),
    )
    .map((parts) => parts.join(""));

  test("looks at every moment as if it had come at once", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (whole, width) => {
        const growing = createMarkdown(paint);
        for (let end = 1; end <= whole.length; end++) {
          const shown = whole.slice(0, end);
          expect(growing(shown, width)).toEqual(createMarkdown(paint)(shown, width));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("is one paragraph however long it is, whatever its lines begin with", () => {
    const plain = ["some ", "words ", "- ", "1. ", "# ", "12) ", "extraordinarily ", "+ "];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...plain), { minLength: 250, maxLength: 300 }), (parts) => {
        const growing = createMarkdown(paint);
        let shown = "So: ";
        for (const part of parts) {
          shown += part;
          growing(shown, 30);
        }
        expect(growing(`${shown}and **an end**.`, 30)).toEqual(uncut(`${shown}and **an end**.`, 30));
      }),
      { numRuns: 5 },
    );
  });

  test("is one paragraph without blanks, too", () => {
    const growing = createMarkdown(paint);
    const whole = "使用 React 组件来渲染（页面）的主要内容。".repeat(60);
    for (let end = 1; end < whole.length; end += 7) growing(whole.slice(0, end), 30);
    expect(growing(whole, 30)).toEqual(createMarkdown(paint)(whole, 30));
  });

  test.each<[string, string, (at: number) => string]>([
    ["paragraphs", "", (at) => `Paragraph ${at} says \`code\`.\n\n`],
    ["items", "The list:\n", (at) => `- item ${at} has \`code\`\n`],
    ["numbered items", "", (at) => `${at + 1}. item ${at} has \`code\`\n\n`],
  ])("renders every one of many %s a few times, not as often as the text grows", (_, head, part) => {
    let rendered = 0;
    const counting = createMarkdown({ ...createPaint(false), code: (said) => `${said}${rendered++ < 0}` });
    let shown = head;
    for (let at = 0; at < 150; at++) {
      for (const word of part(at).split(/(?<= )/)) {
        shown += word;
        counting(shown, 80);
      }
    }
    expect(rendered).toBeGreaterThan(150);
    expect(rendered).toBeLessThan(150 * 20);
  });
});
