// A search, prepared: where it starts, which files it reads, and what it does not enter.

import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { type Finder, insideRoots, narrow } from "./find-files.ts";
import { type HiddenPaths, hiddenBelow, nothingHidden } from "./find-hidden.ts";
import { toMatcher } from "./find-pattern.ts";
import { type IgnoreRules, noRules, type RulesAbove, rulesAbove } from "./ignore-rules.ts";
import { namesVendor, vendorUnlessNamed } from "./ignore-vendor.ts";
import { MachineError, type TextQuery } from "./machine.ts";

export interface Search extends Pick<TextQuery, "pattern" | "isRegex" | "isCaseSensitive" | "env"> {
  /** A real folder, without a separator at its end. */
  readonly folder: string;
  /** Only this file, which lies in the folder. */
  readonly onlyFile?: string | undefined;
  /** Which names can match at all, as a simple pattern. */
  readonly names?: string | undefined;
  /** Asked of a path relative to the folder. */
  wants(path: string): boolean;
  readonly passed: ReadonlySet<string>;
  readonly hidden: HiddenPaths;
  /** "none": ignore files do not count. "below": those above the folder do not. */
  readonly ignoring: "all" | "below" | "none";
  readonly rules: IgnoreRules;
  readonly isInRepository: boolean;
}

export async function toSearch(query: TextQuery, { roots, home }: Finder): Promise<Search> {
  const { pattern, isRegex, isCaseSensitive, env } = query;
  const asked = { pattern, isRegex, isCaseSensitive, env };
  if (!(await isFolder(query.folder))) return { ...asked, ...inFile(query.folder) };
  const { folder, pattern: filePattern } = whereAndWhich(query);
  const isNamed = namesVendor(filePattern ?? "");
  const { rules, isIgnored, isInRepository } = isNamed ? withoutRules : await rulesAbove(folder);
  const matches = filePattern === undefined ? () => true : await toMatcher(filePattern, { dotfiles: "all" });
  return {
    ...asked,
    folder,
    names: filePattern && simpleNames(filePattern),
    wants: (path) => matches(path),
    passed: vendorUnlessNamed(filePattern ?? "", insideRoots(folder, roots)),
    hidden: await hiddenBelow(folder, home),
    ignoring: isNamed ? "none" : isIgnored ? "below" : "all",
    rules,
    isInRepository,
  };
}

const withoutRules: RulesAbove = { rules: noRules, isIgnored: false, isInRepository: false };

function inFile(path: string): Omit<Search, "pattern" | "isRegex" | "isCaseSensitive" | "env"> {
  const name = basename(path);
  const wants = (path: string): boolean => path === name;
  return {
    folder: dirname(path),
    onlyFile: name,
    wants,
    passed: new Set(),
    hidden: nothingHidden,
    ignoring: "none",
    rules: noRules,
    isInRepository: false,
  };
}

function whereAndWhich({ folder, filePattern }: TextQuery): { folder: string; pattern: string | undefined } {
  if (filePattern === undefined) return { folder, pattern: undefined };
  const listed = filePattern.trim();
  const pattern = /^[^{}()[\]]+,/.test(listed)
    ? `{${listed
        .split(",")
        .map((one) => one.trim())
        .join(",")}}`
    : listed;
  // Names count wherever the file lies.
  if (!pattern.includes("/"))
    return { folder, pattern: pattern.startsWith("!") ? `!**/${pattern.slice(1)}` : `**/${pattern}` };
  return narrow({ folder, pattern });
}

/** The last part of the pattern, when it means the same to everybody. */
function simpleNames(pattern: string): string | undefined {
  const names = pattern.slice(pattern.lastIndexOf("/") + 1);
  if (pattern.startsWith("!") || /[{}()]/.test(pattern.slice(0, -names.length))) return undefined;
  return /^[\w.*?-]*(?:\{[\w.*?-]+(?:,[\w.*?-]+)+\})?[\w.*?-]*$/.test(names) && !/\*\*|\.\./.test(names)
    ? names
    : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT") throw cause;
    throw new MachineError("not-found", `Folder ${path} does not exist`, { cause });
  }
}
