// Lets the event loop turn in the middle of long work.

import { setImmediate } from "node:timers/promises";

const STEP_MS = 8;

export class Pace {
  #since = performance.now();

  /** Whether it is time to `rest`. */
  get isDue(): boolean {
    return performance.now() - this.#since > STEP_MS;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
