// Small ways to wait: for something that happens once, and for work that must not pile up.

export interface Latch<T> {
  readonly opened: Promise<T>;
  open(value: T): void;
}

export function newLatch<T = void>(): Latch<T> {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open: (value) => open(value) };
}

/** One at a time; asked while it runs, it runs once more. The work must not reject. */
export function coalesced(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    do {
      await later();
      isAskedAgain = false;
      await work();
    } while (isAskedAgain);
    isRunning = false;
  };
  return () => {
    if (isRunning) isAskedAgain = true;
    else void run();
  };
}

export function later(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
