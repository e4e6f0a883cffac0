// Notification handlers that have not settled yet. When there are too many, input is held until half of them have;
// a slow consumer then slows the peer down instead of filling our memory.

/** Above this many unsettled notification handlers, input is held. */
export const MAX_UNSETTLED = 1024;

/** Input held for so long without one handler settling goes on: they may be waiting for that very input. */
const STALL_MS = 5_000;

export interface Flow {
  hold(): void;
  release(): void;
  stalled(count: number): void;
  /** Called whenever the last one has settled. */
  idle(): void;
}

export class Unsettled {
  readonly #flow: Flow;
  #count = 0;
  #allowed = MAX_UNSETTLED;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  get count(): number {
    return this.#count;
  }

  track(outcome: Promise<unknown>, onFailure: (cause: unknown) => void): void {
    this.#count++;
    if (this.#count >= this.#allowed && this.#watch === undefined) this.#hold();
    outcome.then(
      () => this.#settled(),
      (cause) => {
        onFailure(cause);
        this.#settled();
      },
    );
  }

  #settled(): void {
    this.#count--;
    if (this.#count <= MAX_UNSETTLED / 2) this.#allowed = MAX_UNSETTLED;
    if (this.#watch !== undefined && this.#count <= this.#allowed / 2) this.#release();
    if (this.#count === 0) this.#flow.idle();
  }

  #hold(): void {
    this.#flow.hold();
    let before = this.#count;
    this.#watch = setInterval(() => {
      if (this.#count < before) {
        before = this.#count;
        return;
      }
      this.#flow.stalled(before);
      this.#allowed += MAX_UNSETTLED;
      this.#release();
    }, STALL_MS);
    (this.#watch as { unref?: () => void }).unref?.();
  }

  #release(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#flow.release();
  }
}
