// What somebody should know about a run, from its notices. What is only told along the way is none of it.

import type { Transcript } from "@agentao/acp";

export function warningsOf({ items }: Transcript): string[] {
  return items.flatMap((item) => (item.type === "notice" && item.severity !== "info" ? [item.title] : []));
}
