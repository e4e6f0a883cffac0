// Patterns for paths: the part that is a plain folder, and the part that has to be matched.

import { MachineError } from "./machine.ts";
import { toPathMatcher } from "./wild-path.ts";

export interface SplitPattern {
  /** "" when the pattern begins with something that is not plain. */
  readonly folder: string;
  readonly pattern: string;
}

const MAGIC = /[*?[\]{}()!|+@\\]/;

/** `src/*.ts` is `*.ts` in `src`; a plain path is its last name in the folder before. */
export function splitPattern(pattern: string): SplitPattern {
  const segments = pattern.replace(/^(?:\.\/+)+/, "").split("/");
  const magic = segments.findIndex((segment) => MAGIC.test(segment));
  const at = magic === -1 ? segments.length - 1 : magic;
  const folder = segments.slice(0, at).join("/");
  return { folder: folder === "" && at > 0 ? "/" : folder, pattern: segments.slice(at).join("/") };
}

/** How deep a file can lie that matches; folders below are not worth reading. */
export function depthOf(pattern: string): number {
  // Braces and the like may hold a slash.
  if (pattern.includes("**") || /[({][^)}]*\//.test(pattern)) return Number.POSITIVE_INFINITY;
  return pattern.split("/").length - 1;
}

export interface MatchOptions {
  /** "named": only where the pattern has the dot, too. */
  readonly dotfiles: "named" | "all";
}

/** By far the most common pattern, and there are many files to try it on. */
const ANY_WITH_ENDING = /^\*\*\/\*(\.\w+)$/;
const HAS_DOTFILE = /(?:^|\/)\./;

/** More ways to read a pattern than these are not tried. */
const MAX_WAYS = 64;
const MAX_PATTERN_CHARS = 2_000;
/** With more, how long a regular expression takes is up to whoever wrote the pattern and named the files. */
const MAX_STARS = 2;

/**
 * For paths relative to the folder the pattern starts in. A pattern that would keep a regular expression busy is matched
 * name by name; throws `failed` for one that cannot be, either.
 */
export async function toMatcher(pattern: string, { dotfiles }: MatchOptions): Promise<(path: string) => boolean> {
  const [, ending] = ANY_WITH_ENDING.exec(pattern) ?? [];
  if (ending !== undefined && dotfiles === "named") return (path) => path.endsWith(ending) && !HAS_DOTFILE.test(path);
  if (pattern.length <= MAX_PATTERN_CHARS && isTame(pattern)) {
    const { default: picomatch } = await import("picomatch");
    const matches = picomatch(pattern, { dot: dotfiles === "all" });
    return (path) => matches(path);
  }
  const isNegated = /^!(?!\()/.test(pattern);
  const plain = pattern.length > MAX_PATTERN_CHARS ? undefined : expandBraces(isNegated ? pattern.slice(1) : pattern);
  if (plain === undefined || plain.some((one) => /[(){}]/.test(one))) {
    throw new MachineError("failed", "The pattern is too complicated. Use fewer `*` and groups, or several patterns");
  }
  const matchers = plain.map((one) => toPathMatcher(one, { dotfiles }));
  return (path) => matchers.some((matches) => matches(path)) !== isNegated;
}

/** Whether a regular expression can be trusted with it. Groups count by how many ways they leave open. */
function isTame(pattern: string): boolean {
  const stars = pattern.match(/\*+(?!\()/g)?.length ?? 0;
  const repeats = pattern.match(/[+*]\([^)]*\)?/g) ?? [];
  if (repeats.some((one) => /[|*?+@!(]/.test(one.slice(2)))) return false;
  return stars + repeats.length <= MAX_STARS && waysOf(pattern) <= MAX_WAYS;
}

function waysOf(pattern: string): number {
  let ways = 1;
  const open: number[] = [];
  for (const [at, character] of [...pattern].entries()) {
    if (character === "(" || character === "{") open.push(pattern[at - 1] === "?" ? 2 : 1);
    else if (character === "," || character === "|") open.push((open.pop() ?? 0) + 1);
    else if (character === ")" || character === "}") ways *= open.pop() ?? 1;
  }
  return open.reduce((product, one) => product * one, ways);
}

/** Nothing when there are too many. Those that choose nothing stay as they are. */
function expandBraces(pattern: string): readonly string[] | undefined {
  let patterns = [pattern];
  for (;;) {
    const next = patterns.flatMap((one) => {
      const [group, inner] = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(one) ?? [];
      if (group === undefined || inner === undefined) return [one];
      return inner.split(",").map((choice) => one.replace(group, () => choice));
    });
    if (next.length > MAX_WAYS) return undefined;
    if (next.length === patterns.length) return patterns;
    patterns = next;
  }
}
