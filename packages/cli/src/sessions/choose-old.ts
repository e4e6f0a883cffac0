// Which sessions are old enough to go. Pure.

import type { ListedSession } from "@agentao/agent";

export interface Age {
  readonly olderThanMs: number;
  /** So many of the newest stay, whatever their age. */
  readonly keep: number;
  readonly now: number;
}

/** Oldest first. */
export function chooseOld(
  sessions: readonly ListedSession[],
  { olderThanMs, keep, now }: Age,
): readonly ListedSession[] {
  return sessions
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(keep)
    .filter(({ updatedAt }) => now - updatedAt > olderThanMs)
    .toReversed();
}
