// A list of sessions for a terminal, a line each.

import type { ListedSession } from "@agentao/agent";
import { toLine } from "../plain.ts";
import { toAge } from "../when.ts";
import { shortLength } from "./folder.ts";

export function toRows(listed: readonly ListedSession[], { withFolder }: { withFolder: boolean }): string {
  const now = Date.now();
  const short = shortLength(listed.map(({ id }) => id));
  const widest = Math.max(...listed.map(({ cwd }) => cwd.length));
  return listed
    .map(({ id, cwd, title, updatedAt }) => {
      const age = toAge(now - updatedAt).padEnd(9);
      const folder = withFolder ? `  ${toLine(cwd, 200).padEnd(Math.min(widest, 60))}` : "";
      return `${id.slice(0, short).padEnd(short)}  ${age}${folder}  ${toLine(title ?? "", 80)}\n`;
    })
    .join("");
}
