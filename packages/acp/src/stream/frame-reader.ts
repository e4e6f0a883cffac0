// Where bytes become frames: one JSON object per line, UTF-8. Reading is a walk over blocks of whole lines that can stop
// after any frame and go on later. Nothing here does I/O.

import type { Receiver } from "./stream.ts";
import { TextChunkReader } from "./text-chunk.ts";

/** A longer line is skipped and reported; the connection lives on. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;

/** Bytes to text, by the host's own routines: they are many times faster than portable ones. */
export interface TextDecoding {
  /** A block of whole lines as text, where the host can do that cheaply; nothing means: line by line, please. */
  decodeBlock(bytes: Uint8Array): string | undefined;
  /** Nothing when the bytes are not UTF-8. */
  decodeLine(bytes: Uint8Array): string | undefined;
}

const NEWLINE = 10;

/** A line that comes byte by byte is put together every so many pieces. */
const MAX_PIECES = 1024;

/** Bytes to frames. Feed it chunks; it tells the receiver, unless held. */
export class FrameReader {
  readonly #receiver: Receiver;
  readonly #decoding: TextDecoding;
  readonly #maxFrameBytes: number;
  readonly #textChunks = new TextChunkReader();

  // Chunks that came while held, not looked at yet.
  #waiting: Uint8Array[] = [];
  // The block of whole lines being walked: as text where the host decoded it at once, else as bytes.
  #text = "";
  #bytes: Uint8Array | undefined;
  #at = 0;
  // What follows the block in its chunk; it becomes the tail once the block has been walked.
  #rest: Uint8Array | undefined;
  // The beginning of a line whose end has not come yet.
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #skipping = false;
  #held = false;
  #walking = false;

  constructor(receiver: Receiver, decoding: TextDecoding, maxFrameBytes: number = MAX_FRAME_BYTES) {
    this.#receiver = receiver;
    this.#decoding = decoding;
    this.#maxFrameBytes = maxFrameBytes;
  }

  get hasMore(): boolean {
    return this.#at < this.#text.length || this.#bytes !== undefined || this.#waiting.length > 0;
  }

  feed(chunk: Uint8Array): void {
    if (this.#held || this.hasMore) {
      this.#waiting.push(chunk);
      return;
    }
    this.#open(chunk);
    this.#walk();
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#walk();
  }

  /** A last line may lack its newline. Call it once no more chunks come, and nothing is held. */
  end(): void {
    if (this.#tailBytes > 0 && !this.#skipping) {
      const line = this.#takeTail();
      this.#deliverBytes(line);
    }
  }

  #walk(): void {
    if (this.#walking) return;
    this.#walking = true;
    try {
      for (;;) {
        this.#walkBlock();
        if (this.#held) break;
        if (this.#rest !== undefined) this.#keepTail(this.#rest);
        this.#rest = undefined;
        const chunk = this.#waiting.shift();
        if (chunk === undefined) break;
        this.#open(chunk);
      }
    } finally {
      this.#walking = false;
    }
  }

  /** Takes a chunk apart: the end of the line begun before, a block of whole lines, the beginning of the next line. */
  #open(chunk: Uint8Array): void {
    let block = chunk;
    if (this.#tailBytes > 0 || this.#skipping) {
      const first = chunk.indexOf(NEWLINE);
      if (first < 0) {
        this.#keepTail(chunk);
        return;
      }
      // What follows the end of that line is looked at next.
      if (first + 1 < chunk.length) this.#waiting.unshift(chunk.subarray(first + 1));
      if (this.#skipping) {
        this.#skipping = false;
        return;
      }
      if (this.#tailBytes + first > this.#maxFrameBytes) {
        this.#tail = [];
        this.#tailBytes = 0;
        this.#receiver.garbage("too-long");
        return;
      }
      this.#tail.push(chunk.subarray(0, first + 1));
      this.#tailBytes += first + 1;
      block = this.#takeTail();
    } else if (chunk[chunk.length - 1] !== NEWLINE) {
      const last = chunk.lastIndexOf(NEWLINE);
      if (last < 0) {
        this.#keepTail(chunk);
        return;
      }
      this.#rest = chunk.subarray(last + 1);
      block = chunk.subarray(0, last + 1);
    }
    this.#at = 0;
    const text = this.#decoding.decodeBlock(block);
    if (text === undefined) this.#bytes = block;
    else this.#text = text;
  }

  #keepTail(piece: Uint8Array): void {
    if (this.#skipping) return;
    if (this.#tailBytes + piece.length > this.#maxFrameBytes) {
      this.#tail = [];
      this.#tailBytes = 0;
      this.#skipping = true;
      this.#receiver.garbage("too-long");
      return;
    }
    this.#tail.push(piece);
    this.#tailBytes += piece.length;
    // Many small pieces cost more than their bytes: now and then they become one.
    if (this.#tail.length > MAX_PIECES) this.#tail = [concat(this.#tail, this.#tailBytes)];
  }

  #takeTail(): Uint8Array {
    const whole = this.#tail.length === 1 ? (this.#tail[0] as Uint8Array) : concat(this.#tail, this.#tailBytes);
    this.#tail = [];
    this.#tailBytes = 0;
    return whole;
  }

  #walkBlock(): void {
    const text = this.#text;
    while (this.#at < text.length && !this.#held) {
      const start = this.#at;
      const end = text.indexOf("\n", start);
      this.#at = end + 1;
      const chunk = end - start <= this.#maxFrameBytes ? this.#textChunks.read(text, start, end) : undefined;
      if (chunk === undefined) this.#deliver(text, start, end);
      else this.#receiver.frame(chunk);
    }
    if (this.#at >= text.length && text.length > 0) {
      this.#text = "";
      this.#at = 0;
    }
    const bytes = this.#bytes;
    if (bytes === undefined) return;
    while (this.#at < bytes.length && !this.#held) {
      const start = this.#at;
      const end = bytes.indexOf(NEWLINE, start);
      this.#at = end + 1;
      if (this.#at === bytes.length) this.#bytes = undefined;
      this.#deliverBytes(bytes.subarray(start, end));
    }
    if (this.#bytes === undefined) this.#at = 0;
  }

  #deliverBytes(line: Uint8Array): void {
    if (line.length > this.#maxFrameBytes) {
      this.#receiver.garbage("too-long");
      return;
    }
    const text = this.#decoding.decodeLine(line);
    if (text === undefined) {
      this.#receiver.garbage("not-utf8");
      return;
    }
    const chunk = this.#textChunks.read(text, 0, text.length);
    if (chunk === undefined) this.#deliver(text, 0, text.length);
    else this.#receiver.frame(chunk);
  }

  #deliver(block: string, start: number, end: number): void {
    if (end - start > this.#maxFrameBytes) {
      this.#receiver.garbage("too-long");
      return;
    }
    const value = parse(block.slice(start, end));
    if (value === NOTHING) return;
    if (value === NOT_JSON) {
      this.#receiver.garbage("not-json");
      return;
    }
    if (typeof value === "object" && value !== null) this.#textChunks.learn(value, block, start, end);
    this.#receiver.frame(value);
  }
}

const NOTHING = Symbol("blank line");
const NOT_JSON = Symbol("not JSON");

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Blank lines, and a byte order mark at the start of the stream, are harmless; `trim` removes both.
    const trimmed = line.trim();
    if (trimmed === "") return NOTHING;
    if (trimmed === line || line.charCodeAt(0) !== 0xfeff) return NOT_JSON;
    return parse(trimmed);
  }
}

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
