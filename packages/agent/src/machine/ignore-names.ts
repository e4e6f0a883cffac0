// A cheap first look at a list of ignore patterns: which names can one of them match at all. Most files have none of
// these, and matching a whole path costs ten times as much.

/**
 * Matches every name that a pattern may match as the last one of a path, and more. What lies below a folder that is
 * left out is not meant: nobody gets there.
 */
export function toNameFilter(patterns: string): RegExp {
  const names = patterns.split(/\r?\n/).filter(isPattern).map(lastName);
  return new RegExp(`^(?:${[...new Set(names)].map(toSource).join("|")})$`, "s");
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
