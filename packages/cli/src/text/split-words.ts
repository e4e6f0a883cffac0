// A command line as words, the way a shell would split it. No shell runs, and nothing is expanded.

export type SplitWords =
  | { readonly type: "words"; readonly words: readonly string[] }
  | { readonly type: "refused"; readonly problem: string };

/** Blanks separate; quotes and backslashes keep together. In single quotes a backslash is a backslash. */
export function splitWords(line: string): SplitWords {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'" || char === '"') {
      const quoted = readQuoted(line, at);
      if (quoted === undefined) return { type: "refused", problem: `a ${char} is not closed` };
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (char === "\\") {
      if (at + 1 >= line.length) return { type: "refused", problem: "it ends with a backslash" };
      word = (word ?? "") + line.charAt(++at);
    } else {
      word = (word ?? "") + char;
    }
  }
  if (word !== undefined) words.push(word);
  if (words[0] === undefined || words[0] === "") return { type: "refused", problem: "it names no program" };
  return { type: "words", words };
}

function readQuoted(line: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const quote = line.charAt(start);
  let text = "";
  for (let at = start + 1; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === quote) return { text, end: at };
    const next = line.charAt(at + 1);
    const isEscape = quote === '"' && char === "\\" && '"\\$`'.includes(next) && next !== "";
    text += isEscape ? next : char;
    if (isEscape) at++;
  }
  return undefined;
}

/** A word as a shell would read it back. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same for a person to judge. */
export function toVisibleWord(word: string): string {
  return quoteWord(toVisible(word));
}

/** What moves a cursor, ends a line or has no width stands there by its number. */
export function toVisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
