// Two ends joined in memory. Frames pass as the objects they are, without JSON and without a copy: whoever receives one
// must not change it.

import { LocalError } from "../error/local-error.ts";
import type { Frame } from "./frame.ts";
import type { Receiver, Stream } from "./stream.ts";

/** Above this many undelivered frames the sender is asked to wait. */
const HIGH_WATER_FRAMES = 256;

/** Above this many undelivered frames sending is refused. */
const MAX_QUEUED_FRAMES = 100_000;

/** Delivered frames are let go of in batches of at least this many. */
const COMPACT_FRAMES = 256;

/** Two streams; what is sent into one comes out of the other. */
export function memoryPair(): [Stream, Stream] {
  const left = new MemoryStream();
  const right = new MemoryStream();
  left.join(right);
  right.join(left);
  return [left, right];
}

class MemoryStream implements Stream {
  #peer!: MemoryStream;
  #receiver: Receiver | undefined;
  #inbox: Frame[] = [];
  #at = 0;
  #held = false;
  #scheduled = false;
  #delivering = false;
  #sourceEnded = false;
  #endDelivered = false;
  #room: { promise: Promise<void>; resolve: () => void } | undefined;
  #closed = false;

  join(peer: MemoryStream): void {
    this.#peer = peer;
  }

  open(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError("this stream is open already");
    this.#receiver = receiver;
    this.#schedule();
  }

  send(frame: Frame): Promise<void> | undefined {
    if (this.#closed) throw new LocalError("closed", "cannot send: the stream is closed");
    return this.#peer.#take(frame);
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#deliver();
  }

  // The other end runs in the same loop: it may send at any moment.
  get hasMore(): boolean {
    return true;
  }

  flush(): Promise<void> {
    return this.#peer.#emptied();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#peer.#end();
    this.#end();
  }

  #take(frame: Frame): Promise<void> | undefined {
    const waiting = this.#inbox.length - this.#at;
    if (waiting >= MAX_QUEUED_FRAMES) {
      throw new LocalError("overflow", `the peer does not read: ${waiting} frames are waiting`);
    }
    if (this.#sourceEnded) return undefined;
    this.#inbox.push(frame);
    this.#schedule();
    return waiting >= HIGH_WATER_FRAMES ? this.#emptied() : undefined;
  }

  #end(): void {
    this.#sourceEnded = true;
    // Whoever waits for room waits in vain from here on.
    this.#room?.resolve();
    this.#room = undefined;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#receiver === undefined) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    const receiver = this.#receiver;
    if (receiver === undefined || this.#delivering) return;
    this.#delivering = true;
    try {
      while (!this.#held && this.#at < this.#inbox.length) {
        const frame = this.#inbox[this.#at++];
        if (this.#at >= COMPACT_FRAMES && this.#at * 2 >= this.#inbox.length) {
          this.#inbox = this.#inbox.slice(this.#at);
          this.#at = 0;
        }
        receiver.frame(frame);
      }
    } finally {
      this.#delivering = false;
    }
    if (this.#at < this.#inbox.length) return;
    this.#inbox = [];
    this.#at = 0;
    this.#room?.resolve();
    this.#room = undefined;
    if (this.#sourceEnded && !this.#held && !this.#endDelivered) {
      this.#endDelivered = true;
      receiver.ended();
    }
  }

  #emptied(): Promise<void> {
    if (this.#at >= this.#inbox.length || this.#sourceEnded) return Promise.resolve();
    if (this.#room === undefined) {
      let resolve = () => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.#room = { promise, resolve };
    }
    return this.#room.promise;
  }
}
