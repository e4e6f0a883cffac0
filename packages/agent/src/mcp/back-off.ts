// How long to wait before a server that went is connected again, and when to give it up.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
const MAX_ATTEMPTS = 5;
/** One that stayed this long was well; what goes wrong afterwards is counted anew. */
export const WELL_AFTER_MS = 30_000;

/** Of the attempt, counted from 0; nothing when there were enough. */
export function backOffMs(attempt: number): number | undefined {
  return attempt >= MAX_ATTEMPTS ? undefined : Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS);
}
