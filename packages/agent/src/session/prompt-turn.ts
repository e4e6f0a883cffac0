// One prompt and its turn, as an embedder sees it: events to iterate over, and the result. A reader that cannot keep up
// slows the session down; a turn that nobody reads keeps a bounded number of events, and then none.

import type { SessionEvent, TurnOutcome, UsageSnapshot } from "../event/event.ts";
import type { TurnTokens } from "./spending.ts";

export interface TurnResult {
  /** A model that fails is an outcome, not an error. */
  readonly outcome: TurnOutcome;
  /** The last thing the model said: its answer. */
  readonly text: string;
  /** Of all requests of this turn together. */
  readonly tokens: TurnTokens;
  /** How full the model's window is now, and what the whole session cost. */
  readonly usage: UsageSnapshot;
}

/** Above this many unread events the session waits until half of them have been read. */
const MAX_UNREAD = 64;
/** Before anybody reads. */
const MAX_KEPT = 4096;

/**
 * `for await` gives the events in order and ends when the turn does; leaving the loop early cancels the turn, and goes on
 * when it is over. `result` is how it ended; a turn need not be read to have one. The turn itself is no promise.
 */
export class PromptTurn implements AsyncIterable<SessionEvent> {
  readonly #controller: AbortController;
  readonly #result: Promise<TurnResult>;
  #unread: SessionEvent[] = [];
  #state: "unread" | "overflowed" | "read" | "left" = "unread";
  /** The reader is waited for. */
  #isPressing = true;
  #release: (() => void) | undefined;
  #pressed: Promise<void> | undefined;
  #wakes: (() => void)[] = [];
  #end: { readonly failure?: unknown } | undefined;

  /** For the session only. `run` tells its events to whom it is given, and ends when the controller's signal fires. */
  constructor(
    run: (tell: (event: SessionEvent) => Promise<void> | undefined) => Promise<TurnResult>,
    controller: AbortController,
  ) {
    this.#controller = controller;
    controller.signal.addEventListener("abort", () => this.#letGo(), { once: true });
    this.#result = run((event) => this.#push(event));
    this.#result.then(
      () => this.#finish({}),
      (failure) => this.#finish({ failure }),
    );
  }

  /** Rejects with a `SessionError` where there was no turn. Whoever asks for it in the loop is not waited for any more. */
  get result(): Promise<TurnResult> {
    if (this.#state === "read") this.#letGo();
    return this.#result;
  }

  /** Ends the turn at once; its outcome is `cancelled`. Silent when it is over. */
  cancel(): void {
    this.#controller.abort(new Error("the turn was cancelled"));
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionEvent, void, undefined> {
    if (this.#state === "read" || this.#state === "left") throw new TypeError("the events of a turn can be read once");
    if (this.#state === "overflowed")
      throw new TypeError(`more than ${MAX_KEPT} events came before anybody read them; read from the start`);
    this.#state = "read";
    return { next: () => this.#next(), return: () => this.#leave() };
  }

  async #next(): Promise<IteratorResult<SessionEvent, void>> {
    for (;;) {
      const event = this.#unread.shift();
      if (this.#unread.length <= MAX_UNREAD / 2) this.#relieve();
      if (event !== undefined) return { done: false, value: event };
      if (this.#end !== undefined) {
        if ("failure" in this.#end && this.#state === "read") throw this.#end.failure;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }

  async #leave(): Promise<IteratorResult<SessionEvent, void>> {
    this.#state = "left";
    this.#unread = [];
    this.cancel();
    this.#wake();
    await this.#result.catch(() => {});
    return { done: true, value: undefined };
  }

  #push(event: SessionEvent): Promise<void> | undefined {
    if (this.#state === "left" || this.#state === "overflowed") return undefined;
    this.#unread.push(event);
    this.#wake();
    if (this.#state === "unread") {
      if (this.#unread.length > MAX_KEPT) {
        this.#state = "overflowed";
        this.#unread = [];
      }
      return undefined;
    }
    if (!this.#isPressing || this.#unread.length < MAX_UNREAD) return undefined;
    this.#pressed ??= new Promise((resolve) => {
      this.#release = resolve;
    });
    return this.#pressed;
  }

  #finish(end: { readonly failure?: unknown }): void {
    this.#end = end;
    this.#wake();
  }

  #letGo(): void {
    this.#isPressing = false;
    this.#relieve();
  }

  #relieve(): void {
    this.#release?.();
    this.#release = undefined;
    this.#pressed = undefined;
  }

  #wake(): void {
    const wakes = this.#wakes;
    this.#wakes = [];
    for (const wake of wakes) wake();
  }
}
