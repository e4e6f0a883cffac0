// How the rules of the demo's grammars are written: a sentence with holes, anchored at both ends, in any case.

import type { Rule } from "./wish.ts";

export const QUOTED = "\"[^\"]+\"|'[^']+'|`[^`]+`|“[^”]+”|‘[^’]+’|「[^」]+」|《[^》]+》";

const HOLES: Readonly<Record<string, string>> = {
  /** One word, or something in quotes. */
  "<word>": `(${QUOTED}|\\S+?)`,
  /** A word that looks like a file: it has a dot or a slash inside, or is known without one. */
  "<file>": `(${QUOTED}|\\S*[^\\s.][./]\\w\\S*?|\\.\\w\\S*?|README|LICENSE|Makefile|Dockerfile)`,
  "<glob>": "([\"'`]?\\S*\\*\\S*?[\"'`]?)",
  "<text>": `(${QUOTED}|\\S.*?)`,
  /** Whatever follows, with its punctuation. */
  "<rest>": "(\\S.*)",
  "<number>": "(\\d{1,9})",
};

/**
 * A space stands for one or more, `~` for any number. ` [a|b]` may be there, ` [a|b]*` also more than once; parentheses
 * group and do not catch. A stop, a question mark or the like may end it.
 */
export function phrase(sentence: string, make: Rule["make"]): Rule {
  const source = sentence
    .replace(/\((?!\?)/g, "(?:")
    .replace(/ \[([^\]]*)\]/g, "(?: (?:$1))?")
    .replaceAll("?*", "*")
    .replaceAll(" ", "\\s+")
    .replaceAll("~", "\\s*")
    .replace(/<\w+>/g, (hole) => HOLES[hole] ?? hole);
  return { pattern: new RegExp(`^${source}\\s*[.?!。？！]*$`, "is"), make };
}
