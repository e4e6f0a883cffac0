// What a session changed, from the diffs of its tool calls. Pure.

import type { Transcript } from "@agentao/acp";
import type { FileDiff } from "./view/diff.ts";

/** One diff per file: from how it was before the first change to how it is after the last. */
export function sessionChanges({ items }: Pick<Transcript, "items">): FileDiff[] {
  const changes = new Map<string, FileDiff>();
  for (const item of items) {
    if (item.type !== "tool-call" || item.status !== "completed") continue;
    for (const content of item.content) {
      if (content.type !== "diff") continue;
      const { path, newText } = content;
      const first = changes.get(path);
      const oldText = first === undefined ? content.oldText : first.oldText;
      changes.set(path, { path, oldText, newText });
    }
  }
  return [...changes.values()].filter(({ oldText, newText }) => (oldText ?? "") !== newText);
}
