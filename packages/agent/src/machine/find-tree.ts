// What is in a folder and below it, for reading: bounded in breadth and depth, without what ignore files leave out.

import { join, relative, sep } from "node:path";
import { hiddenBelow } from "./find-hidden.ts";
import { type IgnoreRules, rulesAbove } from "./ignore-rules.ts";
import { vendorUnlessNamed } from "./ignore-vendor.ts";
import { listFolder } from "./list-folder.ts";
import type { FolderEntry, FolderListing, FolderTree, TreeLimits } from "./machine.ts";

interface Branch extends FolderTree {
  readonly path: string;
  readonly rules: IgnoreRules;
  readonly below: Map<string, Branch>;
  ignored: number;
}

/** Sizes are looked up only for what is listed; how many there are is known only after all have been seen. */
const ALL_OF_A_FOLDER = 10_000;

export async function listTree(
  path: string,
  limits: TreeLimits,
  home: string,
  signal: AbortSignal,
): Promise<FolderTree> {
  const hidden = await hiddenBelow(path, home);
  const isHidden = (inner: string): boolean => hidden.has(relative(path, inner).replaceAll(sep, "/"));
  const passed = vendorUnlessNamed();
  const root = await list(path, (await rulesAbove(path)).rules, limits.entriesEach, signal);
  let left = limits.entries - root.listing.entries.length;
  let level = [root];
  for (let depth = 1; depth < limits.depth && level.length > 0; depth++) {
    const next: Branch[] = [];
    for (const branch of level) {
      for (const { name } of branch.listing.entries.filter((entry) => isEntered(entry, branch, passed))) {
        if (left <= 0) return root;
        if (isHidden(join(branch.path, name))) continue;
        const limit = Math.min(limits.entriesEach, left);
        // What cannot be read is named, as other folders that are not entered.
        const below = await list(join(branch.path, name), branch.rules, limit, signal).catch(() => undefined);
        signal.throwIfAborted();
        if (below === undefined) continue;
        left -= below.listing.entries.length;
        root.ignored += below.ignored;
        branch.below.set(name, below);
        next.push(below);
      }
    }
    level = next;
  }
  return root;
}

async function list(path: string, above: IgnoreRules, limit: number, signal: AbortSignal): Promise<Branch> {
  const { entries, total } = await listFolder(path, ALL_OF_A_FOLDER, signal);
  const rules = await above.within(path, new Set(entries.map(({ name }) => name)));
  const kept = entries.filter((entry) => entry.type === "folder" || !rules.ignores(slashed(path, entry)));
  const ignored = entries.length - kept.length;
  const listing: FolderListing = { entries: kept.slice(0, limit), total: total - ignored };
  return { path, rules, listing, below: new Map(), ignored };
}

function isEntered(entry: FolderEntry, { path, rules }: Branch, passed: ReadonlySet<string>): boolean {
  if (entry.type !== "folder" || entry.link !== undefined || passed.has(entry.name)) return false;
  return !rules.ignores(`${slashed(path, entry)}/`);
}

function slashed(folder: string, { name }: FolderEntry): string {
  const path = join(folder, name);
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
