// The seam between the connection and whatever carries its frames: pipes, memory, sockets. A transport implements
// `Stream`; the connection implements `Receiver`.

import type { Frame } from "./frame.ts";

/** Input that is no frame. The text itself is never handed on: it may hold secrets. */
export type Garbage = "not-json" | "not-utf8" | "too-long";

/** Who listens to a stream. None of these may throw. */
export interface Receiver {
  /** One value off the wire, in wire order, not yet checked. */
  frame(value: unknown): void;
  garbage(problem: Garbage): void;
  /** No more input. Without a cause the peer closed in an orderly way. Called once. */
  ended(cause?: Error): void;
}

export interface Stream {
  /** Starts reading. A second call throws: one stream has one reader. */
  open(receiver: Receiver): void;

  /**
   * Queues a frame. Returns nothing while there is room, else a promise that resolves when there is room again.
   * Throws a `LocalError`, and sends nothing, when the frame is not expressible (`unserialisable`), when the queue is
   * full (`overflow`) or the stream has ended (`closed`).
   */
  send(frame: Frame): Promise<void> | undefined;

  /** Stops delivering at once, also between two frames of one chunk, until `release`. Input waits, bounded. */
  hold(): void;
  release(): void;

  /** Whether more frames may be delivered before the event loop turns. */
  readonly hasMore: boolean;

  /** Resolves when everything sent so far has left this process, or the stream has ended. */
  flush(): Promise<void>;

  /** Flushes, then ends both directions. Idempotent; never rejects. */
  close(): Promise<void>;

  /** What a transport can say about its end beyond "the input is over": a process knows its exit status. */
  explainEnd?(cause: Error | undefined): Promise<Error>;
}
