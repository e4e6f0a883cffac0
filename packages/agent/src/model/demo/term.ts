// Pieces of a sentence, cleaned: names, texts, commands, enumerations.

import { QUOTED } from "./phrase.ts";

const IN_QUOTES = new RegExp(`^(?:${QUOTED})$`);

/** Without the quotes around it, or the punctuation behind it. */
export function bare(word = ""): string {
  return IN_QUOTES.test(word) ? word.slice(1, -1) : word.replace(/(?<=[^\s.])[,.;:!?，。；：！？]+$/, "");
}

/** What belongs into a file: the inside of a code fence or of quotes, else the text itself. */
export function content(said = ""): string {
  const fenced = /^```[^\n]*\n(.*?)\n?```\s*$/s.exec(said)?.[1];
  if (fenced !== undefined) return fenced === "" ? "" : `${fenced}\n`;
  return IN_QUOTES.test(said) ? said.slice(1, -1) : said;
}

/** A command, without quotes around the whole and without the stop that ends the sentence. */
export function command(said = ""): string {
  const trimmed = said.trim();
  if (/^`[^`]+`[.?!]?$/.test(trimmed)) return trimmed.slice(1, trimmed.lastIndexOf("`"));
  const [, quote = "", quoted = ""] = /^(["'])(.+)\1$/s.exec(trimmed) ?? [];
  if (quoted !== "" && !quoted.includes(quote)) return quoted;
  return trimmed.replace(/(?<=[\p{L}\p{N}"'`])[.。？]$/u, "");
}

/** Items as people write them down: lines, numbers, semicolons, or else commas. */
export function items(said = ""): string[] {
  const separator = /[\n;；]/.test(said) ? /[\n;；]+/ : /\d+[.)、]\s/.test(said) ? /(?=\b\d+[.)、]\s)/ : /[,，、]/;
  return said
    .split(separator)
    .map((item) => item.replace(/^\s*(?:[-*•]|\d+[.)、]|(?:and|or|then)\s)+\s*/i, "").trim())
    .map((item) => item.replace(/[,，;；。]+$/, ""))
    .filter((item) => item !== "");
}
