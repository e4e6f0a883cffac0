// A connection that stays open and says nothing.

export class StallError extends Error {
  override readonly name = "StallError";
  readonly waitedMs: number;
  /** Whether anything had come before. */
  readonly hadBegun: boolean;

  constructor(waitedMs: number, hadBegun: boolean) {
    super(hadBegun ? `no byte for ${waitedMs} ms` : `no answer for ${waitedMs} ms`);
    this.waitedMs = waitedMs;
    this.hadBegun = hadBegun;
  }
}

export interface StallWatch {
  /** From now on something is waited for. */
  wait(): void;
  /** Bytes came. */
  arrived(): void;
  end(): void;
}

/** Calls `onStall` at most once. Waiting and arriving cost a clock reading each: one timer looks at them now and then. */
export function watchStall(
  limits: { readonly firstByteMs: number; readonly idleMs: number },
  onStall: (error: StallError) => void,
): StallWatch {
  let hasBegun = false;
  let isWaiting = true;
  let since = performance.now();
  let timer = arm(limits.firstByteMs);

  function arm(ms: number): ReturnType<typeof setTimeout> {
    const next = setTimeout(look, Math.max(1, ms));
    next.unref();
    return next;
  }

  function look(): void {
    const limit = hasBegun ? limits.idleMs : limits.firstByteMs;
    const waited = isWaiting ? performance.now() - since : 0;
    // Timers may fire a fraction of a millisecond early.
    if (waited >= limit - 1) onStall(new StallError(limit, hasBegun));
    else timer = arm(limit - waited);
  }

  return {
    wait() {
      isWaiting = true;
      since = performance.now();
    },
    arrived() {
      // The one timer was set for the longer wait.
      if (!hasBegun && limits.idleMs < limits.firstByteMs) {
        clearTimeout(timer);
        timer = arm(limits.idleMs);
      }
      hasBegun = true;
      isWaiting = false;
    },
    end() {
      clearTimeout(timer);
    },
  };
}
