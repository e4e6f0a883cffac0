// Lines on their way out. Whatever is sent within one turn of the event loop leaves in one write; above the high-water
// mark the sender is given a promise to wait for, and above the cap a refusal: a peer that does not read cannot make
// us grow.

import { LocalError } from "../error/local-error.ts";

/** One write carries about this much at most. */
const BATCH_CHARS = 64 * 1024;

/** What may wait for a peer that does not read. */
const MAX_QUEUED_CHARS = 32 * 1024 * 1024;

/** What the queue writes to. Must not throw; failures are reported through `SendQueue.fail`. */
export interface Outlet {
  /** Writes; answers nothing while there is room for more, else a promise for the moment there is. */
  write(text: string): Promise<void> | undefined;
  /** Resolves when all that was written has left the process. */
  settled(): Promise<void>;
  /** Runs `flush` once the code now running, and the promises it settled, are through. */
  soon(flush: () => void): void;
}

export class SendQueue {
  readonly #outlet: Outlet;
  readonly #maxChars: number;
  #text = "";
  #armed = false;
  #room: Promise<void> | undefined;
  #failure: LocalError | undefined;

  constructor(outlet: Outlet, maxChars: number = MAX_QUEUED_CHARS) {
    this.#outlet = outlet;
    this.#maxChars = maxChars;
  }

  push(line: string): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    const length = this.#text.length + line.length;
    if (length > this.#maxChars && this.#room !== undefined) {
      throw new LocalError(
        "overflow",
        `the peer does not read: ${this.#text.length} characters are waiting. Await what sending returns.`,
      );
    }
    this.#text += line;
    if (this.#room !== undefined) return this.#room;
    if (length >= BATCH_CHARS) this.#write();
    else if (!this.#armed) {
      this.#armed = true;
      this.#outlet.soon(this.#flushSoon);
    }
    return this.#room;
  }

  /** Resolves when everything pushed so far has left the process, or the outlet has failed. */
  async flush(): Promise<void> {
    while (this.#failure === undefined && (this.#text !== "" || this.#room !== undefined)) {
      if (this.#room === undefined) this.#write();
      await this.#room;
    }
    if (this.#failure === undefined) await this.#outlet.settled();
  }

  /** Nothing can be written any more: what waits is dropped, later pushes throw. */
  fail(cause: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = new LocalError("closed", `cannot send: ${cause.message}`, { cause });
    this.#text = "";
  }

  // Made once: arming happens for every lone frame.
  readonly #flushSoon = (): void => {
    this.#armed = false;
    if (this.#room === undefined) this.#write();
  };

  #write(): void {
    if (this.#text === "" || this.#failure !== undefined) return;
    const text = this.#text;
    this.#text = "";
    const room = this.#outlet.write(text);
    if (room === undefined) return;
    this.#room = room.then(() => {
      this.#room = undefined;
      this.#write();
      // Whoever waits now has room, unless what had gathered meanwhile filled it again.
      return this.#room;
    });
  }
}
