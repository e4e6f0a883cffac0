import { expect, test } from "vitest";
import { createMarkdown, splitPieces } from "./markdown.ts";
import { createPaint } from "./paint.ts";

const DOCUMENT = `# Title

A paragraph with **bold** text.

1. one

   still one
2. two

- a

- b

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| a | b |
|---|---|
| 1 | 日本 |

> quote

The end.`;

test("cuts only where what follows stands alone", () => {
  expect(splitPieces(DOCUMENT).map((piece) => piece.split("\n")[0])).toEqual([
    "# Title",
    "A paragraph with **bold** text.",
    "```ts",
    "The end.",
  ]);
});

test("shows an answer that came in pieces as it shows the whole", () => {
  const whole = createMarkdown(createPaint(true))(DOCUMENT, 40);
  const growing = createMarkdown(createPaint(true));
  let last: string[] = [];
  for (let end = 1; end <= DOCUMENT.length; end++) last = growing(DOCUMENT.slice(0, end), 40);
  expect(last).toEqual(whole);
});
