// NDJSON over a pair of web byte streams, for browsers and other hosts without Node's streams.

import type { Frame } from "./frame.ts";
import { FrameReader, type TextDecoding } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { SendQueue } from "./send-queue.ts";
import type { Receiver, Stream } from "./stream.ts";

/** A peer that does not read gets this long to do so when we close. */
const FLUSH_MS = 1_000;

export interface WebStreamOptions {
  readonly maxFrameBytes?: number;
  readonly maxQueuedChars?: number;
}

export interface WebBytes {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

export function webStream(bytes: WebBytes, options: WebStreamOptions = {}): Stream {
  return new WebNdjsonStream(bytes, options);
}

class WebNdjsonStream implements Stream {
  readonly #source: ReadableStreamDefaultReader<Uint8Array>;
  readonly #target: WritableStreamDefaultWriter<Uint8Array>;
  readonly #options: WebStreamOptions;
  readonly #writer = new FrameWriter();
  readonly #queue: SendQueue;
  #reader: FrameReader | undefined;
  #receiver: Receiver | undefined;
  #held = false;
  #released: (() => void) | undefined;
  #ended = false;

  constructor(bytes: WebBytes, options: WebStreamOptions) {
    this.#source = bytes.readable.getReader();
    this.#target = bytes.writable.getWriter();
    this.#options = options;
    const encoder = new TextEncoder();
    this.#queue = new SendQueue(
      {
        write: (text) => this.#target.write(encoder.encode(text)).catch((cause) => this.#end(toError(cause))),
        settled: () => this.#target.ready.catch(() => {}),
        soon: (flush) => queueMicrotask(flush),
      },
      options.maxQueuedChars,
    );
  }

  open(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError("this stream is open already");
    this.#receiver = receiver;
    this.#reader = new FrameReader(receiver, webDecoding(), this.#options.maxFrameBytes);
    this.#pump(this.#reader).then(
      () => this.#end(),
      (cause) => this.#end(toError(cause)),
    );
  }

  send(frame: Frame): Promise<void> | undefined {
    return this.#queue.push(this.#writer.write(frame));
  }

  hold(): void {
    this.#held = true;
    this.#reader?.hold();
  }

  release(): void {
    this.#held = false;
    this.#reader?.release();
    if (!this.#held) this.#released?.();
  }

  // Chunks that are queued are read without the event loop turning in between.
  get hasMore(): boolean {
    return true;
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  async close(): Promise<void> {
    await Promise.race([this.#queue.flush(), delay(FLUSH_MS)]);
    await Promise.race([this.#target.close().catch(() => {}), delay(FLUSH_MS)]);
    await this.#source.cancel().catch(() => {});
    this.#end();
  }

  async #pump(reader: FrameReader): Promise<void> {
    for (;;) {
      const { done, value } = await this.#source.read();
      if (value !== undefined) reader.feed(value);
      while (this.#held) {
        await new Promise<void>((resolve) => {
          this.#released = resolve;
        });
      }
      if (done) break;
    }
    reader.end();
  }

  #end(cause?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    if (cause !== undefined) this.#queue.fail(cause);
    this.#receiver?.ended(cause);
  }
}

function webDecoding(): TextDecoding {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array): string | undefined => {
    try {
      return utf8.decode(bytes);
    } catch {
      return undefined;
    }
  };
  return { decodeBlock: decode, decodeLine: decode };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    (timer as { unref?: () => void }).unref?.();
  });
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
