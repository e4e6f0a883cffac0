// The bytes of an answer: not waited for for ever, not more than they may be, and not thrown away when the connection ends
// badly behind an answer that is over.

import type { AnswerTail } from "./answer-end.ts";
import { StallError, type StallWatch } from "./stall.ts";

export interface Reading {
  readonly watch: StallWatch;
  /** Fires where nobody reads on: closes the socket. */
  readonly stop: AbortController;
  readonly tail: AnswerTail;
  /** No byte for so long behind the end of an answer, and it counts as closed. */
  readonly settleMs: number;
  /** What comes after so many bytes is left out. */
  readonly maxBytes?: number | undefined;
  /** Looks at bytes as they come; may throw. */
  readonly check?: ((chunk: Uint8Array) => void) | undefined;
  /** What is passed on of them. */
  readonly receive?: ((chunk: Uint8Array) => Uint8Array) | undefined;
  /** Called when nothing more is read. */
  readonly end: () => void;
}

/** Only the time in which a reader waits for bytes counts: a slow reader is no stall. */
export function watchedBody(body: ReadableStream<Uint8Array>, reading: Reading): ReadableStream<Uint8Array> {
  const { watch, stop, tail, settleMs, check, receive, maxBytes = Number.POSITIVE_INFINITY } = reading;
  const reader = body.getReader();
  let waitsSince: number | undefined;
  let bytes = 0;
  let isOver = false;
  let settle: ReturnType<typeof setInterval> | undefined;

  function end(): void {
    isOver = true;
    clearInterval(settle);
    reading.end();
  }

  /** Before the other side did. */
  function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    end();
    controller.close();
    stop.abort();
  }

  function isSettled(): boolean {
    return waitsSince !== undefined && performance.now() - waitsSince >= settleMs && tail.saysOver();
  }

  function take(chunk: Uint8Array, controller: ReadableStreamDefaultController<Uint8Array>): void {
    tail.add(chunk);
    check?.(chunk);
    bytes += chunk.length;
    controller.enqueue(receive === undefined ? chunk : receive(chunk));
    if (bytes >= maxBytes) close(controller);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        settle = setInterval(() => isSettled() && close(controller), Math.max(1, settleMs / 10));
        settle.unref();
      },
      async pull(controller) {
        watch.wait();
        waitsSince = performance.now();
        try {
          const { done, value } = await reader.read();
          waitsSince = undefined;
          if (isOver) return;
          watch.arrived();
          if (!done) return take(value, controller);
          end();
          controller.close();
        } catch (cause) {
          if (isOver) return;
          const reason: unknown = stop.signal.aborted ? stop.signal.reason : cause;
          const isLost = !stop.signal.aborted || reason instanceof StallError;
          if (isLost && tail.saysOver()) return close(controller);
          end();
          controller.error(reason);
          stop.abort(reason);
        }
      },
      async cancel(reason) {
        end();
        // Nobody will read what still comes.
        stop.abort(reason);
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
