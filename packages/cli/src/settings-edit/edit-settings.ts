// Changes settings in a `settings.json` and leaves everything else in it as it was. A file that cannot be read is never
// written over, and what would not be understood is refused.

import { findJsonFault, parseSettings } from "@agentao/agent";
import type { ConfigFile } from "./config-file.ts";
import { readConfig } from "./config-file.ts";
import { isTree, type KeyPath, setAt } from "./key-path.ts";
import { writeWhole } from "./write-file.ts";

export interface Change {
  readonly path: KeyPath;
  /** Tried in this order; `undefined` takes it away. */
  readonly values: readonly unknown[];
}

export type Edited = { readonly type: "edited" } | { readonly type: "refused"; readonly problems: readonly string[] };

export async function editSettings(
  file: Pick<ConfigFile, "path" | "whose">,
  changes: readonly Change[],
): Promise<Edited> {
  const { path, whose } = file;
  const read = await readConfig(path);
  if (read.type === "unreadable") return refused(`${path} cannot be read: ${read.why}. Nothing was written.`);
  const before = read.type === "text" ? read.text : "";
  const tree = parseTree(before);
  if (typeof tree === "string") return refused(`${path} ${tree}. Mend it first; nothing was written.`);
  const after = changes.reduce((left, change) => apply(left, change, path), tree);
  const text = `${JSON.stringify(after, null, indentOf(before))}\n`;
  const problems = newProblems(before, text, path);
  if (problems.length > 0) return { type: "refused", problems };
  try {
    await writeWhole(path, text, { access: whose === "yours" ? "private" : "shared" });
  } catch (cause) {
    return refused(`${path} cannot be written: ${(cause as Error).message}`);
  }
  return { type: "edited" };
}

type Tree = Readonly<Record<string, unknown>>;

/** The settings, or what is wrong with the file. */
export function parseTree(text: string): Tree | string {
  if (text.trim() === "") return {};
  const place = findJsonFault(text);
  if (place !== undefined) return `is not JSON (line ${place.line}, column ${place.column})`;
  const value: unknown = JSON.parse(text);
  return isTree(value) ? value : "is not an object";
}

/** The first value that is understood; the first of all where none is. */
function apply(tree: Tree, { path, values }: Change, file: string): Tree {
  const before = JSON.stringify(tree);
  const trees = values.map((value) => setAt(tree, path, value));
  return trees.find((one) => newProblems(before, JSON.stringify(one), file).length === 0) ?? trees[0] ?? tree;
}

function newProblems(before: string, after: string, path: string): readonly string[] {
  const known = problemsIn(before, path);
  return problemsIn(after, path).filter((problem) => !known.includes(problem));
}

function problemsIn(text: string, path: string): readonly string[] {
  const { problems, sandbox } = parseSettings(text, path);
  return [...problems, ...sandbox.problems];
}

function indentOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
}

function refused(problem: string): Edited {
  return { type: "refused", problems: [problem] };
}
