// Patterns for paths: the part that is a plain folder, and the part that has to be matched.

import type { Matcher } from "picomatch";

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

/** For paths relative to the folder the pattern starts in. */
export async function toMatcher(pattern: string, { dotfiles }: MatchOptions): Promise<Matcher> {
  const { default: picomatch } = await import("picomatch");
  return picomatch(pattern, { dot: dotfiles === "all" });
}
