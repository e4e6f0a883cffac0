// Runs a function once every promise that is settled now, and every continuation those wake, has run.

interface NodeLike {
  readonly process?: { readonly nextTick?: (run: () => void) => void };
}

const nextTick = (globalThis as NodeLike).process?.nextTick;

/** Node: a tick armed inside a microtask runs after the microtask queue is empty. Elsewhere: the next task. */
export const afterMicrotasks: (run: () => void) => void =
  nextTick === undefined ? (run) => void setTimeout(run, 0) : (run) => queueMicrotask(() => nextTick(run));
