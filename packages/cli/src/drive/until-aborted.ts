// Waiting that a signal ends.

/** Resolves when the work is done, however it went, or when the signal fires. Leaves no listener behind. */
export function untilAborted(signal: AbortSignal, work?: void | Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    if (signal.aborted) return done();
    signal.addEventListener("abort", done);
    work?.then(done, done);
    return undefined;
  });
}
