// The updates of one turn: how many the prompt says, of changing length, so that they and the answer share chunks of the
// pipe in all manner of ways.

import type { ContentBlock, SessionUpdate } from "@agentao/acp";

interface Sent {
  readonly update: SessionUpdate;
  /** In every other turn the agent waits until each update is taken. */
  readonly isAwaited: boolean;
}

/** The prompt is one text: the number of updates. */
export function burstOf([block]: readonly ContentBlock[]): Sent[] {
  const count = Number((block as { text: string }).text);
  return Array.from({ length: count }, (_, position) => ({
    update: {
      sessionUpdate: position % 5 === 0 ? "agent_thought_chunk" : "agent_message_chunk",
      content: { type: "text", text: `${position}`.padEnd((position * 977) % 5_000, ".") },
    },
    isAwaited: count % 2 === 0,
  }));
}

/** Between 5 and 20 updates, another number in each turn. */
export function countOf(turn: number): number {
  return 5 + ((turn * 7) % 16);
}
