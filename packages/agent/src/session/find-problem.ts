// Whether a session can work in a place.

import { isAbsolutePath } from "../config/path.ts";
import type { Machine } from "../machine/machine.ts";
import type { Place } from "./runtime-options.ts";

/** What is wrong with it, as a clause. Without a machine nobody looks whether it is there. */
export async function findProblem(
  { cwd, additionalRoots = [] }: Place,
  machine?: Machine,
): Promise<string | undefined> {
  const named = [["cwd", cwd], ...additionalRoots.map((root) => ["additionalDirectories", root])] as const;
  for (const [name, path = ""] of named) {
    if (path === "") return `${name} must not be empty`;
    if (!isAbsolutePath(path)) return `${name} must be an absolute path, got '${path}'`;
    if (machine === undefined) continue;
    const stat = await machine.stat(path, new AbortController().signal);
    if (stat === undefined) return `${name} does not exist: '${path}'`;
    if (stat.type !== "folder") return `${name} is not a directory: '${path}'`;
  }
  return undefined;
}
