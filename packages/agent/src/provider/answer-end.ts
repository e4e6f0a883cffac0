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

/** The last event of some repeats the whole answer behind its mark. */
const MAX_BYTES = 1024 * 1024;

export function createTail(mark: RegExp | undefined): AnswerTail {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let isOver = false;
  let isNew = false;
  return {
    add(chunk) {
      if (mark === undefined) return;
      chunks.push(chunk);
      bytes += chunk.length;
      isNew = true;
      while (bytes - (chunks[0]?.length ?? 0) >= MAX_BYTES) bytes -= chunks.shift()?.length ?? 0;
    },
    saysOver() {
      if (mark !== undefined && isNew && !isOver) isOver = mark.test(Buffer.concat(chunks).toString("latin1"));
      isNew = false;
      return isOver;
    },
  };
}
