// What ignore files leave out, as ripgrep and git understand them: the nearest file decides, `.ignore` before
// `.gitignore`, and the files of a repository say nothing about another one inside of it.

import { access, readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Ignore } from "ignore";
import { type NameFilter, toNameFilter, withoutWild } from "./ignore-names.ts";

export interface IgnoreRules {
  /** Of an absolute path with "/", at the end too when it is a folder. */
  ignores(path: string): boolean;
  /** The rules in a folder, by the names that are in it. */
  within(folder: string, names: ReadonlySet<string>): IgnoreRules | Promise<IgnoreRules>;
}

interface Level {
  /** Ends with "/". */
  readonly folder: string;
  /** Place in `FILES`. */
  readonly rank: number;
  readonly matcher: Ignore;
  /** What it does not match needs no matching. */
  readonly names: NameFilter;
}

/** In the order in which they are asked. */
const FILES = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"];
const FIRST_OF_GIT = 2;

/** Nothing is ignored, whatever the files say. */
export const noRules: IgnoreRules = { ignores: () => false, within: () => noRules };

export interface RulesAbove {
  readonly rules: IgnoreRules;
  /** The folder is one that they leave out. Whoever names it wants to see it, so they then say nothing about it. */
  readonly isIgnored: boolean;
  /** The folder or, unless it is ignored, one above it is a repository. Then others inside have their own rules only. */
  readonly isInRepository: boolean;
}

/** The rules of the folders above this one. */
export async function rulesAbove(folder: string): Promise<RulesAbove> {
  const levels: Level[] = [];
  const isRepository = await exists(join(folder, ".git"));
  let isRepositoryLeft = false;
  for (let inner = folder, outer = dirname(inner); outer !== inner; inner = outer, outer = dirname(outer)) {
    const found = await readLevels(outer, FILES);
    levels.push(...(isRepositoryLeft ? found.filter(isNotOfGit) : found));
    isRepositoryLeft ||= await exists(join(outer, ".git"));
  }
  const isInRepository = isRepository || isRepositoryLeft;
  const rules = toRules(levels, isInRepository);
  if (!rules.ignores(withSlash(folder))) return { rules, isIgnored: false, isInRepository };
  return { rules: toRules([], isRepository), isIgnored: true, isInRepository: isRepository };
}

function toRules(levels: readonly Level[], isInRepository: boolean): IgnoreRules {
  // Nearest first within a rank: levels come so, and sorting keeps the order of equals.
  const asked = [...levels].sort((a, b) => a.rank - b.rank);
  const rules: IgnoreRules = {
    ignores(path) {
      const name = asked.length === 0 ? "" : nameOf(path);
      for (const { folder, matcher, names } of asked) {
        if (!names.test(name)) continue;
        const inner = path.slice(folder.length);
        const { ignored, unignored } = matcher.test(isBelowIgnored(inner, matcher) ? withPlainParents(inner) : inner);
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    within(folder, names) {
      const isRepository = names.has(".git");
      const present = FILES.filter((file, rank) => (rank === FILES.length - 1 ? isRepository : names.has(file)));
      return present.length === 0 ? rules : extended(folder, present, isRepository);
    },
  };
  const extended = async (folder: string, present: readonly string[], isRepository: boolean): Promise<IgnoreRules> => {
    const found = await readLevels(folder, present);
    const above = isRepository && isInRepository ? levels.filter(isNotOfGit) : levels;
    return found.length === 0 && above.length === levels.length ? rules : toRules([...found, ...above], isInRepository);
  };
  return rules;
}

/** The folder was entered all the same, so a stronger file took it back: what is said about it does not count below. */
function isBelowIgnored(inner: string, matcher: Ignore): boolean {
  const parent = inner.slice(0, inner.lastIndexOf("/", inner.length - 2) + 1);
  return parent !== "" && matcher.test(parent).ignored;
}

/** Then only rules that name no parents say something: a name in the place of theirs that no rule knows. */
function withPlainParents(inner: string): string {
  return inner.replace(/[^/]+\/(?=[^/])/g, `${"\u0001".repeat(8)}/`);
}

async function readLevels(folder: string, files: readonly string[]): Promise<Level[]> {
  const levels = await Promise.all(files.map((file) => readLevel(folder, file)));
  return levels.filter((level) => level !== undefined);
}

/** Nothing where there is no such file; one that cannot be read says nothing. */
async function readLevel(folder: string, file: string): Promise<Level | undefined> {
  const patterns = await readFile(join(folder, file), "utf8").catch(() => "");
  if (patterns.trim() === "") return undefined;
  const { default: createMatcher } = await import("ignore");
  const rules = withoutWild(patterns.replace(/^\uFEFF/, ""));
  const matcher = createMatcher({ ignorecase: false }).add(rules);
  return { folder: withSlash(folder), rank: FILES.indexOf(file), matcher, names: toNameFilter(rules) };
}

function nameOf(path: string): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

function isNotOfGit({ rank }: Level): boolean {
  return rank < FIRST_OF_GIT;
}

function withSlash(folder: string): string {
  const plain = sep === "/" ? folder : folder.replaceAll(sep, "/");
  return plain.endsWith("/") ? plain : `${plain}/`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
