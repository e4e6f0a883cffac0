// One block of Markdown to lines that fit: the library draws it, and we break the lines where it cannot.

import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { cleanText } from "../../text/plain.ts";
import { codeLines, languageOf } from "./code-line.ts";
import { fitAll } from "./lines.ts";
import type { Paint } from "./paint.ts";
import { isUnspaced, wrapUnspaced } from "./unspaced.ts";

export function createBlockView(paint: Paint): (text: string, width: number) => string[] {
  const theme = toTheme(paint);
  return (text, width) => {
    // The library breaks lines at blanks only. Tables, quotes and rules it has to draw in their width.
    const isOurs = isUnspaced(text) && !/^\s*(?:[|>]|(?:[-*_] *){3,}$)/m.test(text);
    // Wide enough for any line of it.
    const drawn = new Markdown(withCharacters(text), 0, 0, theme).render(
      isOurs ? text.length * 2 + 80 : Math.max(1, width),
    );
    const lines = drawn
      .map((line) => line.trimEnd())
      .flatMap((line) => (isOurs ? wrapUnspaced(line, width, hanging(line)) : [line]));
    while (lines.length > 0 && lines.at(-1) === "") lines.pop();
    return fitAll(lines, width);
  };
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The characters that names stand for, outside of code and of HTML, which is shown as it is. They mark nothing. */
function withCharacters(text: string): string {
  if (text.startsWith("<")) return text;
  return text.replace(/`[^`]*`|&(amp|lt|gt|quot|#39);/g, (all, name: string | undefined) =>
    name === undefined ? all : `\\${CHARACTERS[name]}`,
  );
}

/** Under the text of an item, not under its mark. */
function hanging(line: string): string {
  const mark = /^ *(?:(?:-|\d+\.) (?:\[[ x]\] )?)?/.exec(cleanText(line))?.[0] ?? "";
  return " ".repeat(mark.length);
}

export function toTheme(paint: Paint): MarkdownTheme {
  return {
    heading: (text) => paint.strong(paint.accent(text)),
    link: paint.underlined,
    linkUrl: paint.quiet,
    code: paint.code,
    codeBlock: (text) => text,
    highlightCode: (code, language = "") => codeLines(code, languageOf(language), paint),
    codeBlockBorder: paint.quiet,
    quote: paint.slanted,
    quoteBorder: paint.quiet,
    hr: paint.quiet,
    listBullet: paint.accent,
    bold: paint.strong,
    italic: paint.slanted,
    strikethrough: paint.struck,
    underline: paint.underlined,
    codeBlockIndent: "  ",
  };
}
