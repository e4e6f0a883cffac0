// The lines an edit changed, with some around them. For reading.

import { diffLines } from "../text/diff-lines.ts";

export interface DiffLine {
  /** `@` is a gap: unchanged lines that are left out. */
  readonly mark: " " | "-" | "+" | "@";
  readonly text: string;
}

const AROUND = 3;
const MARKS = { same: " ", removed: "-", added: "+" } as const;

export function toDiffLines(oldText: string | null, newText: string): readonly DiffLine[] {
  const lines = diffLines(oldText, newText);
  const near = nearChanges(lines.map(({ type }) => type !== "same"));
  return lines.flatMap(({ type, text }, at): DiffLine[] => {
    if (near[at]) return [{ mark: MARKS[type], text }];
    return at > 0 && near[at - 1] && near.indexOf(true, at) > 0 ? [{ mark: "@", text: GAP }] : [];
  });
}

const GAP = " …";

/** Whether a line is a change, or close to one. */
function nearChanges(isChange: readonly boolean[]): readonly boolean[] {
  const near = isChange.map(() => false);
  for (const [at, is] of isChange.entries()) {
    if (is) near.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
  }
  return near;
}
