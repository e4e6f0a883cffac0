// Waiting until an output has room again.

import type { Writable } from "node:stream";

const waits = new WeakMap<Writable, Promise<void>>();

/** Also resolves when nobody reads any more. All who wait for one output share one wait. */
export function untilWritable(output: Writable): Promise<void> {
  if (!output.writableNeedDrain) return Promise.resolve();
  const before = waits.get(output);
  if (before !== undefined) return before;
  const wait = new Promise<void>((resolve) => {
    const done = (): void => {
      waits.delete(output);
      output.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    output.on("drain", done).on("close", done).on("error", done);
  });
  waits.set(output, wait);
  return wait;
}
