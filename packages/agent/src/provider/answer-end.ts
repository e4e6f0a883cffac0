// Whether an answer has said that it is over. Connections are closed badly, or not at all, behind answers that are whole.

import type { Protocol } from "./provider.ts";

export interface AnswerTail {
  add(chunk: Uint8Array): void;
  /** Looked for only when somebody asks: adding costs next to nothing. */
  saysOver(): boolean;
}

/** In JSON text these marks cannot stand inside a string. Some servers send an empty reason with every event. */
export const END_MARKS: Readonly<Record<Protocol, RegExp>> = {
  chat: /"finish_reason"\s*:\s*"[^"]|^data:\s*\[DONE\]/m,
  responses: /"type"\s*:\s*"response\.(?:completed|incomplete|failed)"/,
  messages: /"type"\s*:\s*"message_stop"/,
  gemini: /"(?:finishReason|blockReason)"\s*:\s*"[^"]/,
};

/** Looked through when full: the last event of some repeats the whole answer behind its mark. */
const KEPT_BYTES = 64 * 1024;
/** No mark is longer. */
const OVERLAP_BYTES = 128;

export function createTail(mark: RegExp | undefined): AnswerTail {
  // Copied: chunks that are held live long enough to cost more than their copies.
  const kept = mark === undefined ? undefined : Buffer.allocUnsafe(KEPT_BYTES);
  let length = 0;
  let isOver = false;

  function look(): void {
    if (kept === undefined || mark === undefined) return;
    isOver ||= mark.test(kept.toString("latin1", 0, length));
    const overlap = Math.min(length, OVERLAP_BYTES);
    kept.copyWithin(0, length - overlap, length);
    length = overlap;
  }

  return {
    add(chunk) {
      if (kept === undefined || isOver) return;
      for (let at = 0; at < chunk.length; ) {
        if (length === KEPT_BYTES) look();
        const taken = Math.min(chunk.length - at, KEPT_BYTES - length);
        kept.set(taken === chunk.length ? chunk : chunk.subarray(at, at + taken), length);
        length += taken;
        at += taken;
      }
    },
    saysOver() {
      if (!isOver) look();
      return isOver;
    },
  };
}
