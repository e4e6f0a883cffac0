// The last bytes of a stream of output, as text. Memory is bounded by the limit whatever arrives, and however finely it
// is chopped; a character is kept whole or not at all.

import { isUtf8 } from "./builtin.ts";

export type OutputTail = {
  /** One source of bytes. Characters split between its chunks are put together, also when sources alternate. */
  source(): OutputSource;
  /** The tail so far, at most the limit in bytes of UTF-8. */
  text(): string;
  /** Whether anything was dropped, from its first time on. */
  readonly truncated: boolean;
};

export type OutputSource = {
  write(chunk: Buffer): void;
  /** Nothing more is expected: an unfinished character is taken as it is. */
  flush(): void;
};

const FIRST_BYTES = 4096;

export function createOutputTail(limitBytes: number): OutputTail {
  const ring = createRing(limitBytes);

  // Invalid bytes are replaced before they are counted: U+FFFD is longer than the byte it stands for.
  const add = (bytes: Buffer) => ring.write(isUtf8(bytes) ? bytes : Buffer.from(bytes.toString("utf8")));

  return {
    source() {
      let unfinished: Buffer = Buffer.alloc(0);
      return {
        write(chunk) {
          const bytes = unfinished.length === 0 ? chunk : Buffer.concat([unfinished, chunk]);
          const end = bytes.length - unfinishedLength(bytes);
          unfinished = Buffer.from(bytes.subarray(end));
          add(bytes.subarray(0, end));
        },
        flush() {
          add(unfinished);
          unfinished = Buffer.alloc(0);
        },
      };
    },
    text() {
      const bytes = ring.read();
      return bytes.toString("utf8", ring.dropped ? leadingRest(bytes) : 0);
    },
    get truncated() {
      return ring.dropped;
    },
  };
}

/** The last `limitBytes` written. The memory grows with what is written, up to the limit and never beyond. */
function createRing(limitBytes: number) {
  let memory = Buffer.alloc(0);
  let start = 0;
  let length = 0;
  let dropped = false;

  const read = (): Buffer => {
    const tail = memory.subarray(start, start + length);
    return Buffer.concat([tail, memory.subarray(0, length - tail.length)], length);
  };

  const reserve = (bytes: number): void => {
    if (bytes <= memory.length) return;
    const grown = Buffer.alloc(Math.min(limitBytes, Math.max(bytes, memory.length * 2, FIRST_BYTES)));
    read().copy(grown);
    memory = grown;
    start = 0;
  };

  return {
    read,
    get dropped() {
      return dropped;
    },
    write(bytes: Buffer): void {
      const kept = bytes.subarray(Math.max(0, bytes.length - limitBytes));
      const excess = length + bytes.length - limitBytes;
      if (excess > 0) dropped = true;
      if (kept.length === 0) return;
      reserve(Math.min(limitBytes, length + kept.length));
      const end = (start + length) % memory.length;
      const copied = kept.copy(memory, end);
      kept.copy(memory, 0, copied);
      length = Math.min(limitBytes, length + kept.length);
      // Only a full ring overwrites its oldest bytes; its start is then where its end is.
      if (excess > 0) start = (end + kept.length) % memory.length;
    },
  };
}

/** How many bytes at the end may be the beginning of a character whose rest is still to come. */
function unfinishedLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

/** How many bytes at the beginning are the rest of a character that was cut. */
function leadingRest(bytes: Buffer): number {
  let rest = 0;
  while (rest < bytes.length && isContinuation(bytes[rest] as number)) rest++;
  return rest;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0xc2 && firstByte <= 0xdf) return 2;
  if (firstByte >= 0xe0 && firstByte <= 0xef) return 3;
  if (firstByte >= 0xf0 && firstByte <= 0xf4) return 4;
  return 1;
}
