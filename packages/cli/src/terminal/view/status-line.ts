// The line at the bottom: model, mode, how full the window is, what it has cost, the branch. What matters least goes
// first where there is no room.

import { visibleWidth } from "@earendil-works/pi-tui";
import { cleanLine } from "../../text/plain.ts";
import { fit } from "./lines.ts";
import type { Paint } from "./paint.ts";

export interface Status {
  readonly model: string | undefined;
  readonly mode: string | undefined;
  /** Of the model's window, from 0 to 1. */
  readonly contextShare: number | undefined;
  readonly cost: { readonly amount: number; readonly currency: string } | undefined;
  readonly branch: string | undefined;
}

/** What is left out, in this order; the model is last to go. */
const LEAST_FIRST = ["branch", "cost", "mode", "context"] as const;

export function statusLine(
  status: Status,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const left = new Set<string>();
  for (const leaveOut of [undefined, "long names", ...LEAST_FIRST]) {
    if (leaveOut !== undefined) left.add(leaveOut);
    const line = parts(status, left).join(" · ");
    if (visibleWidth(line) <= width) return toned(line, status, paint);
  }
  return fit(paint.quiet(parts(status, left).join(" · ")), width);
}

/** Full, and it will be summed up or fail. */
const NEARLY_FULL = 0.8;

function toned(line: string, { contextShare }: Status, paint: Paint): string {
  if (contextShare === undefined || contextShare < NEARLY_FULL) return paint.quiet(line);
  const at = line.indexOf(contextWord(contextShare));
  if (at < 0) return paint.quiet(line);
  const end = at + contextWord(contextShare).length;
  return `${paint.quiet(line.slice(0, at))}${paint.warn(line.slice(at, end))}${paint.quiet(line.slice(end))}`;
}

function parts({ model, mode, contextShare, cost, branch }: Status, left: ReadonlySet<string>): string[] {
  const isShort = left.has("long names");
  const words: (string | undefined)[] = [
    model === undefined ? undefined : isShort ? cleanLine(model).split("/").at(-1) : cleanLine(model),
    left.has("mode") || mode === undefined ? undefined : cleanLine(mode),
    left.has("context") || contextShare === undefined ? undefined : contextWord(contextShare),
    left.has("cost") || cost === undefined ? undefined : costWord(cost),
    left.has("branch") || branch === undefined ? undefined : cleanLine(branch),
  ];
  return words.filter((word): word is string => word !== undefined && word !== "");
}

function contextWord(share: number): string {
  return `${Math.round(share * 100)}% full`;
}

export function costWord({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const digits = amount >= 1 ? 2 : amount >= 0.01 ? 3 : 4;
  return currency === "USD" ? `$${amount.toFixed(digits)}` : `${amount.toFixed(digits)} ${cleanLine(currency)}`;
}
