// Text as it is shown to people who decide by it: what a screen would hide, turn around or obey is written out.

/** Controls but tab and line ends, what turns the direction of writing, and what has no width but for emoji. */
const HIDDEN = /(?![\t\n\v\f\r]|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Lines and columns stay as they are. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return code.length === 4 ? `\\u${code}` : `\\u{${code}}`;
  });
}

/** On one line: ends of lines are marked, other white space is one space. */
export function visibleLine(text: string): string {
  return visible(text)
    .replace(/\s*[\n\r\u2028\u2029]+\s*/g, "⏎")
    .replace(/\s+/g, " ");
}
