// Lets the event loop turn in the middle of long work.

const STEP_MS = 8;

export class Pace {
  #since = performance.now();

  /** Whether it is time to `rest`. */
  get isDue(): boolean {
    return performance.now() - this.#since > STEP_MS;
  }

  async rest(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
