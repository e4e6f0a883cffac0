// How long to wait before a request is made again, and when to give up.

import type { Fault } from "../fault/fault.ts";

export interface RetryPolicy {
  /** How often a request is made at most. */
  readonly attempts: number;
  /** The first wait; each further one is twice as long. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** All waits of one step together. */
  readonly budgetMs: number;
}

export const RETRY_POLICY: RetryPolicy = { attempts: 5, baseMs: 1_500, maxMs: 30_000, budgetMs: 60_000 };

/** Waits differ by so much, so that many who failed together do not come back together. */
const JITTER = 0.3;

export class BackOff {
  readonly #policy: RetryPolicy;
  readonly #random: () => number;
  #made = 1;
  #waitedMs = 0;

  constructor(policy: RetryPolicy, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
  }

  /** The attempt that would come next, counted from one. */
  get next(): number {
    return this.#made + 1;
  }

  /** Milliseconds until the next attempt; nothing when there is none. What the provider asks for is never cut short. */
  waitFor({ retryable, retryAfterMs }: Fault): number | undefined {
    const { attempts, baseMs, maxMs, budgetMs } = this.#policy;
    if (!retryable || this.#made >= attempts) return undefined;
    const spread = 1 + JITTER * (2 * this.#random() - 1);
    const own = Math.min(maxMs, baseMs * 2 ** (this.#made - 1) * spread);
    const wait = Math.max(retryAfterMs ?? 0, Math.round(own));
    if (this.#waitedMs + wait > budgetMs) return undefined;
    this.#made++;
    this.#waitedMs += wait;
    return wait;
  }
}
