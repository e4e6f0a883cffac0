// Updates on their way to whoever iterates over a turn. A reader that cannot keep up makes the connection hold its
// input; a turn nobody reads keeps a bounded number and then none.

/** Above this many unread updates, input is held until half of them have been read. */
export const MAX_UNREAD_UPDATES = 4096;

/** Input held for so long without one read goes on: the reader may be waiting for that very input. */
const STALL_MS = 5_000;

export interface InputFlow {
  /** Stops the input; the function it answers lets it go on. */
  hold(): () => void;
  /** Nothing was read for long, and input goes on. */
  stalled(unread: number): void;
}

export class UpdateQueue<Update> {
  readonly #flow: InputFlow;
  #items: Update[] = [];
  #at = 0;
  #allowed = MAX_UNREAD_UPDATES;
  #release: (() => void) | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #hasReader = false;
  #overflowed = false;
  #done = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(flow: InputFlow) {
    this.#flow = flow;
  }

  push(update: Update): void {
    if (this.#done || this.#overflowed) return;
    this.#items.push(update);
    this.#wake?.();
    if (this.#unread < this.#allowed) return;
    if (this.#hasReader) {
      this.#hold();
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
        while (this.#unread > 0) yield this.#take();
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

  get #unread(): number {
    return this.#items.length - this.#at;
  }

  #take(): Update {
    const item = this.#items[this.#at] as Update;
    this.#at++;
    // Moving the rest down only when half is read keeps the cost per item constant.
    if (this.#at * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    if (this.#unread <= MAX_UNREAD_UPDATES / 2) {
      this.#allowed = MAX_UNREAD_UPDATES;
      this.#letGo();
    } else if (this.#release !== undefined) {
      this.#startWatch();
    }
    return item;
  }

  /** The reader has gone: whatever comes now is for nobody. */
  #abandon(): void {
    this.#done = true;
    this.#items = [];
    this.#at = 0;
    this.#letGo();
  }

  #hold(): void {
    if (this.#release !== undefined) return;
    this.#release = this.#flow.hold();
    this.#startWatch();
  }

  /** Cleared before it is called: letting the input go may fill the queue again at once. */
  #letGo(): void {
    clearTimeout(this.#watch);
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  #startWatch(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#flow.stalled(this.#unread);
      this.#allowed = this.#unread + MAX_UNREAD_UPDATES;
      this.#letGo();
    }, STALL_MS);
    (this.#watch as { unref?: () => void }).unref?.();
  }
}
