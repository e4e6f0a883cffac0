// What can end a run from outside: the person, and the clock.

import type { Io } from "../io/io.ts";
import type { Stop } from "./ending.ts";

export interface Watch {
  /** Counted from when the watch began, whatever was waited for since. */
  limit(timeoutMs: number | undefined): void;
  release(): void;
}

const DAY_MS = 86_400_000;

export function watchOutside({ signal }: Pick<Io, "signal">, stop: Stop, now: () => number = Date.now): Watch {
  const begun = now();
  let clock: NodeJS.Timeout | undefined;
  // Signals keep no program from ending: one that waits in silence would be over before its answer.
  const awake = setInterval(() => {}, DAY_MS);
  const interrupt = (): void => stop.end({ type: "interrupted" });
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  return {
    limit(timeoutMs) {
      clearTimeout(clock);
      if (timeoutMs === undefined) return;
      const end = (): void => stop.end({ type: "too-long", timeoutMs });
      clock = setTimeout(end, Math.max(0, begun + timeoutMs - now()));
    },
    release() {
      clearTimeout(clock);
      clearInterval(awake);
      signal.removeEventListener("abort", interrupt);
    },
  };
}
