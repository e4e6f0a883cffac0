// Work that has only so much time.

import { Failure } from "./failure.ts";

/** Rejects with a `Failure` when it took longer, else with what the work rejects with. `closed` ends it, too. */
export async function within(
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
  closed: AbortSignal,
): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    await work(AbortSignal.any([late.signal, closed]));
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new Failure("timeout", `it did not answer within ${told(ms)}`);
  } finally {
    clearTimeout(timer);
  }
}

function told(ms: number): string {
  return ms < 100 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
