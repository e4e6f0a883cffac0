// Keeps keys that were meant for the editor from answering a question that appeared under somebody's hands.

/** Who has not pressed a key for so long has seen the question. */
const PAUSE_MS = 500;

export class TypeAhead {
  readonly #now: () => number;
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  #isTyping = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A question has appeared; `draft` is what stands in the editor. */
  questionShown(draft: string): void {
    this.#isTyping = draft !== "" && this.#now() - this.#lastKeyAt < PAUSE_MS;
  }

  /** A key was pressed. True: it still belongs to the editor. */
  isForEditor(): boolean {
    const sinceMs = this.#now() - this.#lastKeyAt;
    this.#lastKeyAt = this.#now();
    if (sinceMs >= PAUSE_MS) this.#isTyping = false;
    return this.#isTyping;
  }
}
