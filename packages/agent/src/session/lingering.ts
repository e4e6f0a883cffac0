// What a cancelled turn left running. The next turn, and the end of the session, wait for it, and not for long.

const MAX_WAIT_MS = 5_000;

export class Lingering {
  readonly #works = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const settled = work.catch(() => {}).finally(() => this.#works.delete(settled));
    this.#works.add(settled);
  }

  /** Never rejects. */
  async settled(): Promise<void> {
    if (this.#works.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([Promise.all(this.#works), late]);
    clearTimeout(timer);
  }
}
