// Changes settings in a `settings.json` and leaves everything else in it as it was. A file that cannot be read is never
// written over, and what would not be understood is refused.

import { findJsonFault, parseSettings } from "@agentao/agent";
import type { ConfigText } from "../io/config-text.ts";
import { isFields } from "../json/fields.ts";
import { messageOf } from "../text/message-of.ts";
import { changeFile } from "./change-file.ts";
import type { ConfigFile } from "./config-file.ts";
import { removeFromJson, setInJson } from "./json-edit.ts";
import { jsonHint } from "./json-hint.ts";
import type { KeyPath } from "./key-path.ts";

export interface Change {
  readonly path: KeyPath;
  /** Tried in this order; `undefined` takes it away. */
  readonly values: readonly unknown[];
}

export type Edited = { readonly type: "edited" } | { readonly type: "refused"; readonly problems: readonly string[] };

export async function editSettings(
  { path, whose }: Pick<ConfigFile, "path" | "whose">,
  changes: readonly Change[],
): Promise<Edited> {
  let problems: readonly string[] = [];
  const edit = (read: ConfigText): string | undefined => {
    const edited = toEdited(read, changes, path);
    if (typeof edited === "string") return edited;
    problems = edited.problems;
    return undefined;
  };
  try {
    await changeFile(path, edit, { access: whose === "yours" ? "private" : "shared" });
  } catch (cause) {
    problems = [`${path} cannot be written: ${messageOf(cause)}. Nothing was written.`];
  }
  return problems.length === 0 ? { type: "edited" } : { type: "refused", problems };
}

/** The new text, or why there is none. */
function toEdited(
  read: ConfigText,
  changes: readonly Change[],
  path: string,
): string | { readonly problems: readonly string[] } {
  if (read.type === "unreadable") return { problems: [`${path} cannot be read: ${read.why}. Nothing was written.`] };
  const before = read.type === "text" ? read.text : "";
  const tree = parseTree(before);
  if (typeof tree === "string")
    return { problems: [`${path} ${tree}.${jsonHint(before)} Mend it first; nothing was written.`] };
  const after = changes.reduce((text, change) => apply(text, change, path), before);
  const problems = newProblems(before, after, path);
  return problems.length > 0 ? { problems: [...problems, "Nothing was written."] } : after;
}

type Tree = Readonly<Record<string, unknown>>;

/** The settings, or what is wrong with the file. */
export function parseTree(text: string): Tree | string {
  if (text.trim() === "") return {};
  const place = findJsonFault(text);
  if (place !== undefined) return `is not JSON (line ${place.line}, column ${place.column})`;
  const value: unknown = JSON.parse(text);
  return isFields(value) ? value : "is not an object";
}

/** The first value that is understood; the first of all where none is. */
function apply(before: string, { path, values }: Change, file: string): string {
  const texts = values.map((value) =>
    value === undefined ? removeFromJson(before, path) : setInJson(before, path, value),
  );
  return texts.find((text) => newProblems(before, text, file).length === 0) ?? texts[0] ?? before;
}

function newProblems(before: string, after: string, path: string): readonly string[] {
  const known = problemsIn(before, path);
  return problemsIn(after, path).filter((problem) => !known.includes(problem));
}

function problemsIn(text: string, path: string): readonly string[] {
  const { problems, sandbox } = parseSettings(text, path);
  return [...problems, ...sandbox.problems];
}
