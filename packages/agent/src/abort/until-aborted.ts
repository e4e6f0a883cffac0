// Waiting that ends when the signal fires, even if what is waited for does not: cancel never depends on anybody's
// goodwill.

export const ABORTED: unique symbol = Symbol("aborted");
export type Aborted = typeof ABORTED;

/** What the promise gives, or `ABORTED` as soon as the signal fires. A later rejection is swallowed. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | Aborted> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.resolve(ABORTED);
  }
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(ABORTED);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The items until the signal fires; then it ends, and tells the source to end without waiting for it. */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let wake: ((aborted: Aborted) => void) | undefined;
  const abort = (): void => wake?.(ABORTED);
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      if (signal.aborted) return;
      const next = await new Promise<IteratorResult<T> | Aborted>((resolve, reject) => {
        wake = resolve;
        iterator.next().then(resolve, reject);
      });
      if (next === ABORTED || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    void iterator.return?.()?.catch(() => {});
  }
}
