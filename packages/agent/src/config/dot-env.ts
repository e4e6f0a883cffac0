// Reads the text of a `.env` file. Pure. Nothing is expanded: a value is what is written.

/** Of two lines with one name the later counts. Lines that make no sense are left out. */
export function parseDotEnv(text: string): Readonly<Record<string, string>> {
  const clean = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\0", "")
    .replace(/\r\n?/g, "\n");
  const found = new Map<string, string>();
  for (const { groups } of clean.matchAll(ASSIGNMENT)) found.set(groups?.name ?? "", toValue(groups ?? {}));
  return Object.fromEntries(found);
}

/**
 * One assignment. A quoted value may have several lines, and only a comment may follow it; a quote that is never closed
 * is a character like any other.
 */
const ASSIGNMENT = new RegExp(
  [
    String.raw`^[^\S\n]*(?:export[^\S\n]+)?(?<name>[A-Za-z_][\w.-]*)[^\S\n]*=[^\S\n]*`,
    String.raw`(?:(?:'(?<single>[^']*)'|"(?<double>(?:\\[\s\S]|[^"\\])*)"|${"`(?<back>[^`]*)`"})[^\S\n]*(?:#.*)?$`,
    String.raw`|(?<bare>[^\n]*)$)`,
  ].join(""),
  "gm",
);

function toValue(groups: Readonly<Record<string, string | undefined>>): string {
  if (groups.double !== undefined) return groups.double.replace(/\\([\s\S])/g, toCharacter);
  return groups.single ?? groups.back ?? withoutComment(groups.bare ?? "");
}

/** Other backslashes stay, as in paths and patterns. */
function toCharacter(whole: string, letter: string): string {
  return ESCAPED[letter] ?? whole;
}

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" };

/** A comment begins after a space, so that `#` can be part of a value. */
function withoutComment(bare: string): string {
  return bare.replace(/(^|\s)#.*$/, "").trim();
}
