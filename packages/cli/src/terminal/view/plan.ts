// The agent's plan as a checklist.

import type { PlanEntry } from "@agentao/acp";
import { cleanLine } from "../../text/plain.ts";
import { fit } from "./lines.ts";
import type { Paint } from "./paint.ts";

/** Around what is being done, so many entries are shown. */
const MAX_ENTRIES = 7;

export function planView(
  entries: readonly PlanEntry[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  if (entries.length === 0) return [];
  const done = entries.filter(({ status }) => status === "completed").length;
  const current = entries.findIndex(({ status }) => status !== "completed");
  const from = Math.max(0, Math.min(current < 0 ? entries.length : current - 2, entries.length - MAX_ENTRIES));
  const shown = entries.slice(from, from + MAX_ENTRIES);
  const missing = entries.length - shown.length;
  const lines = shown.map(({ status, content }) => {
    const text = cleanLine(content);
    if (status === "completed") return `${paint.good("✓")} ${paint.quiet(text)}`;
    return status === "in_progress" ? `${paint.accent("▸")} ${paint.strong(text)}` : `${paint.quiet("○")} ${text}`;
  });
  if (missing > 0) lines.push(paint.quiet(`… ${missing} more`));
  return [paint.quiet(`Plan ${done}/${entries.length}`), ...lines].map((line) => fit(line, width));
}
