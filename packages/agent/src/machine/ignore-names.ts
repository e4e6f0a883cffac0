// A cheap first look at a list of ignore patterns: which names can one of them match at all. Most files have none of
// these, and matching a whole path costs ten times as much.

import { toNameMatcher } from "./wildcard.ts";

export interface NameFilter {
  test(name: string): boolean;
}

/** With more, how long a regular expression takes is up to whoever wrote the line and named the files. */
const MAX_STARS = 3;

/** Without lines that are no patterns for anybody but an attacker: they match nothing. */
export function withoutWild(patterns: string): string {
  return patterns
    .split(/\r?\n/)
    .filter((line) => (line.match(/\*+/g)?.length ?? 0) <= MAX_STARS)
    .join("\n");
}

/**
 * Matches every name that a pattern may match as the last one of a path, and more. What lies below a folder that is
 * left out is not meant: nobody gets there.
 */
export function toNameFilter(patterns: string): NameFilter {
  const names = [...new Set(patterns.split(/\r?\n/).filter(isPattern).map(lastName))];
  const regular = names.filter((name) => !isStarry(name));
  const expression = new RegExp(`^(?:${regular.map(toSource).join("|")})$`, "s");
  const starry = names.filter(isStarry).map((name) => toNameMatcher(name.replaceAll("?", "?*")));
  return { test: (name) => (regular.length > 0 && expression.test(name)) || starry.some((matches) => matches(name)) };
}

/** Such names would make an expression go back and forth. Sets mean something else there, and match everything here. */
function isStarry(name: string): boolean {
  return !/[\\[\]]/.test(name) && (name.match(/\*+/g)?.length ?? 0) > 1;
}

function isPattern(line: string): boolean {
  return line.trim() !== "" && !line.startsWith("#");
}

function lastName(line: string): string {
  const plain = line.trimEnd().replace(/^!/, "").replace(/\/+$/, "");
  return plain.slice(plain.lastIndexOf("/") + 1);
}

function toSource(name: string): string {
  if (name === "" || /[\\[\]]/.test(name)) return ".*";
  return name
    .replace(/[.+^${}()|]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, "..?");
}
