// A diff of one file, as lines: what changed with a little of what stands around it, and line numbers.

import { countChanges, type DiffLine, diffLines } from "../../text/diff-lines.ts";
import { cleanText } from "../../text/plain.ts";
import { fit, indent, wrap } from "./lines.ts";
import type { Paint } from "./paint.ts";

export interface FileDiff {
  readonly path: string;
  readonly oldText?: string | null | undefined;
  readonly newText: string;
}

/** Unchanged lines shown before and after a change. */
const AROUND = 3;

export function diffView(
  diff: FileDiff,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const lines = diffLines(diff.oldText, diff.newText);
  const shown = lines.map((_, at) => isNearChange(lines, at));
  const digits = String(lines.length).length;
  const result: string[] = [];
  let skipped = false;
  lines.forEach((line, at) => {
    if (!shown[at]) {
      skipped = true;
      return;
    }
    if (skipped && result.length > 0) result.push(fit(paint.quiet(`${" ".repeat(digits)} ⋯`), width));
    skipped = false;
    result.push(...numbered(line, digits, width, paint));
  });
  return result;
}

/** "+3 −1", or nothing where nothing changed. */
export function diffCount(diff: FileDiff, paint: Paint): string {
  const { added, removed } = countChanges(diffLines(diff.oldText, diff.newText));
  const parts = [added > 0 ? paint.good(`+${added}`) : "", removed > 0 ? paint.bad(`−${removed}`) : ""];
  return parts.filter((part) => part !== "").join(" ");
}

function isNearChange(lines: readonly DiffLine[], at: number): boolean {
  for (let near = Math.max(0, at - AROUND); near <= at + AROUND; near++) {
    const line = lines[near];
    if (line !== undefined && line.type !== "same") return true;
  }
  return false;
}

function numbered(line: DiffLine, digits: number, width: number, paint: Paint): string[] {
  const number = String(line.type === "removed" ? line.oldLine : line.newLine).padStart(digits);
  const sign = line.type === "same" ? " " : line.type === "added" ? "+" : "-";
  const style = line.type === "same" ? paint.quiet : line.type === "added" ? paint.good : paint.bad;
  const margin = digits + 3;
  const pieces = wrap(cleanText(line.text), Math.max(1, width - margin)).map(style);
  const first = `${paint.quiet(number)} ${style(sign)} `;
  return indent(pieces, " ".repeat(margin), first).map((piece) => fit(piece, width));
}
