// The files of a tree whose paths match a pattern.

import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { errorCode } from "../fault/error-code.ts";
import { hiddenBelow } from "./find-hidden.ts";
import { byUse } from "./find-order.ts";
import { depthOf, splitPattern, toMatcher } from "./find-pattern.ts";
import { walk } from "./find-walk.ts";
import { noRules, rulesAbove } from "./ignore-rules.ts";
import { namesVendor, vendorUnlessNamed } from "./ignore-vendor.ts";
import { type FileQuery, type FoundFiles, MachineError } from "./machine.ts";
import { isInside } from "./path.ts";

/** More than that nobody can use, and each is looked at. */
const MAX_FILES = 20_000;

export interface Finder {
  readonly roots: readonly string[];
  readonly home: string;
}

export async function findFiles(query: FileQuery, { roots, home }: Finder, signal: AbortSignal): Promise<FoundFiles> {
  const { folder, pattern } = narrow(query);
  await expectFolder(folder);
  const matches = await toMatcher(pattern, { dotfiles: "named" });
  const walked = await walk(
    folder,
    {
      rules: namesVendor(pattern) ? noRules : (await rulesAbove(folder)).rules,
      passed: vendorUnlessNamed(pattern, insideRoots(folder, roots)),
      hidden: await hiddenBelow(folder, home),
      wants: (path) => matches(path),
      links: "keep",
      maxDepth: depthOf(pattern),
      maxFiles: MAX_FILES,
    },
    signal,
  );
  const paths = await byUse(walked.paths, signal);
  return { paths: paths.slice(0, query.limit), total: paths.length, isPartial: walked.isPartial };
}

/** The folder the search really starts in: what is plain at the beginning of the pattern need not be looked for. */
export function narrow({ folder, pattern }: Pick<FileQuery, "folder" | "pattern">) {
  const split = splitPattern(pattern);
  return { folder: split.folder.startsWith("/") ? split.folder : join(folder, split.folder), pattern: split.pattern };
}

/** The part of a path that says what is meant; where the roots themselves lie, it does not. */
export function insideRoots(path: string, roots: readonly string[]): string {
  const root = roots.find((one) => isInside(path, [one]));
  return root === undefined ? path : relative(root, path);
}

async function expectFolder(path: string): Promise<void> {
  const stats = await stat(path).catch((cause: unknown) => {
    if (errorCode(cause) !== "ENOENT") throw cause;
    throw new MachineError("not-found", `Folder ${path} does not exist`, { cause });
  });
  if (!stats.isDirectory()) throw new MachineError("not-a-folder", `${path} is not a folder`);
}
