// Updates on their way to whoever iterates over a turn. A reader that cannot keep up makes the connection hold its
// input; a turn nobody reads keeps a bounded number and then none.

/** Above this many unread updates, input is held until half of them have been read. */
export const MAX_UNREAD_UPDATES = 4096;

export class UpdateQueue<Update> {
  readonly #hold: () => () => void;
  #items: Update[] = [];
  #at = 0;
  #release: (() => void) | undefined;
  #hasReader = false;
  #overflowed = false;
  #done = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** `hold` stops the input and answers the function that lets it go on. */
  constructor(hold: () => () => void) {
    this.#hold = hold;
  }

  push(update: Update): void {
    if (this.#done || this.#overflowed) return;
    this.#items.push(update);
    this.#wake?.();
    if (this.#items.length - this.#at < MAX_UNREAD_UPDATES) return;
    if (this.#hasReader) {
      this.#release ??= this.#hold();
    } else {
      this.#overflowed = true;
      this.#items = [];
    }
  }

  /** No more updates; the reader gets what is left, then the end or the failure. */
  end(failure?: Error): void {
    this.#done = true;
    this.#failure = failure;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Update, void, undefined> {
    if (this.#hasReader) throw new TypeError("the updates of a turn can be read once");
    if (this.#overflowed) {
      throw new TypeError(`more than ${MAX_UNREAD_UPDATES} updates came before anybody read them; read from the start`);
    }
    this.#hasReader = true;
    try {
      for (;;) {
        while (this.#at < this.#items.length) yield this.#take();
        if (this.#done) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#failure !== undefined) throw this.#failure;
    } finally {
      this.#abandon();
    }
  }

  #take(): Update {
    const item = this.#items[this.#at] as Update;
    this.#at++;
    // Moving the rest down only when half is read keeps the cost per item constant.
    if (this.#at * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    if (this.#release !== undefined && this.#items.length - this.#at <= MAX_UNREAD_UPDATES / 2) this.#letGo();
    return item;
  }

  /** The reader has gone: whatever comes now is for nobody. */
  #abandon(): void {
    this.#done = true;
    this.#items = [];
    this.#letGo();
  }

  #letGo(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
