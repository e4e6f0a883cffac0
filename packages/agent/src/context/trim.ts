// Which results are old and long enough to be given as head and tail only. Pure: it chooses, others record.

import type { CallId } from "../id/id.ts";
import { trimResult } from "../journal/turn-messages.ts";
import type { Message } from "../message/message.ts";
import { estimateMessage } from "./estimate.ts";

/** Results the model may still be working with. */
const NEWEST_RESULTS = 5;
/** What must be won: providers read everything behind a changed message anew, and for little that is a bad trade. */
const LEAST_SHARE_SAVED = 0.05;

export interface Trim {
  readonly callIds: readonly CallId[];
  readonly savedTokens: number;
}

/** Nothing where too little would be won. */
export function chooseTrim(
  messages: readonly Message[],
  windowTokens: number,
  { spared = NEWEST_RESULTS } = {},
): Trim | undefined {
  const all = messages.filter((message) => message.role === "result");
  const results = all.slice(0, Math.max(0, all.length - spared));
  const callIds: CallId[] = [];
  let savedTokens = 0;
  for (const result of results) {
    const trimmed = trimResult(result);
    if (trimmed === result) continue;
    callIds.push(result.callId);
    savedTokens += estimateMessage(result) - estimateMessage(trimmed);
  }
  return savedTokens > 0 && savedTokens >= windowTokens * LEAST_SHARE_SAVED ? { callIds, savedTokens } : undefined;
}
