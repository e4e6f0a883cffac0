// How long somebody may say nothing in a turn. Time in which he waits for us does not count.

/** What a timer can wait for at most; one that is set to more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class Silence {
  #timer: NodeJS.Timeout | undefined;
  #restart = (): void => {};
  #pauses = 0;

  /** Calls once when it was quiet for so long. */
  begin(maxMs: number, then: () => void): void {
    this.#restart = () => {
      clearTimeout(this.#timer);
      if (this.#pauses === 0) this.#timer = setTimeout(then, Math.min(maxMs, MAX_TIMER_MS));
    };
    this.#restart();
  }

  /** Something was said. */
  broken(): void {
    this.#restart();
  }

  /** The clock stands still until the work is done, and then begins anew. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#pauses++;
    this.#restart();
    try {
      return await work;
    } finally {
      this.#pauses--;
      this.#restart();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#restart = () => {};
  }
}
