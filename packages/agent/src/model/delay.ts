// Waiting, as something that can be handed in: tests pass a wait that does not take time.

/** Resolves after so long, or at once when the signal fires. Must not reject. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** By timers. Zero waits until the event loop has been round once. */
export const realDelay: Delay = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const stop = ms > 0 ? startTimer(ms, done) : startImmediate(done);
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });

/** Resolves when the signal fires, and not before. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function startTimer(ms: number, done: () => void): () => void {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
}

function startImmediate(done: () => void): () => void {
  const immediate = setImmediate(done);
  return () => clearImmediate(immediate);
}
