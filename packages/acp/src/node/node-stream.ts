// NDJSON over a pair of Node streams: pipes, sockets, stdio. Reads and writes bytes; knows nothing of methods.

import type { Readable } from "node:stream";
import type { Frame } from "../stream/frame.ts";
import { FrameReader } from "../stream/frame-reader.ts";
import { FrameWriter } from "../stream/frame-writer.ts";
import { type Outlet, SendQueue } from "../stream/send-queue.ts";
import type { Receiver, Stream } from "../stream/stream.ts";
import { nodeDecoding } from "./text-decoding.ts";

export interface NodeStreamOptions {
  /** A longer line is skipped and reported. */
  readonly maxFrameBytes?: number | undefined;
  /** What may wait for a peer that does not read; beyond it, sending throws. */
  readonly maxQueuedChars?: number | undefined;
}

/** What is needed of a `Writable`; every one is such an output. */
export interface NodeOutput {
  write(text: string, done?: () => void): boolean;
  end(): unknown;
  /** Gives up what is still queued. */
  destroy(): unknown;
  readonly writableLength: number;
  readonly writableEnded: boolean;
  on(event: "drain" | "close" | "error", listener: (cause: Error) => void): unknown;
  off(event: "drain" | "close" | "error", listener: (cause: Error) => void): unknown;
}

/** A peer that does not read gets this long to do so when we close. */
const FLUSH_MS = 1_000;

/** Frames over `input` and `output`. Closing ends `output` and destroys `input`. */
export function nodeStream(input: Readable, output: NodeOutput, options: NodeStreamOptions = {}): Stream {
  return new NodeNdjsonStream(input, output, options);
}

class NodeNdjsonStream implements Stream {
  readonly #input: Readable;
  readonly #output: NodeOutput;
  readonly #options: NodeStreamOptions;
  readonly #writer = new FrameWriter();
  readonly #queue: SendQueue;
  // Sockets and pipes give one chunk per turn of the event loop, unless chunks have gathered; other streams may not.
  readonly #turnsLoop: boolean;
  #reader: FrameReader | undefined;
  #receiver: Receiver | undefined;
  #held = false;
  #inputDone = false;
  #ended = false;
  #closing: Promise<void> | undefined;

  constructor(input: Readable, output: NodeOutput, options: NodeStreamOptions) {
    this.#input = input;
    this.#output = output;
    this.#options = options;
    this.#turnsLoop = typeof (input as { unref?: unknown }).unref === "function";
    const outlet = new NodeOutlet(output, () => this.#reader?.hasMore ?? false);
    this.#queue = new SendQueue(outlet, options.maxQueuedChars);
    // A peer that went away shows as EPIPE here; unheard, it would end the process.
    output.on("error", (cause) => this.#end(cause));
    output.on("close", () => this.#queue.fail(new Error("the output is closed")));
  }

  open(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError("this stream is open already");
    this.#receiver = receiver;
    const reader = new FrameReader(receiver, nodeDecoding, this.#options.maxFrameBytes);
    this.#reader = reader;
    if (this.#held) reader.hold();
    this.#input.on("data", (chunk: Buffer | string) => {
      if (this.#held) this.#input.pause();
      reader.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    });
    this.#input.on("end", () => this.#finishInput());
    this.#input.on("close", () => this.#finishInput());
    this.#input.on("error", (cause) => this.#end(cause));
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
    if (this.#held) return;
    if (this.#input.isPaused()) this.#input.resume();
    if (this.#inputDone) this.#finishInput();
  }

  get hasMore(): boolean {
    return !this.#turnsLoop || this.#input.readableLength > 0 || (this.#reader?.hasMore ?? false);
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const flushed = await Promise.race([this.#queue.flush().then(() => true), delay(FLUSH_MS)]);
    this.#queue.fail(new Error("the stream was closed"));
    if (!this.#output.writableEnded) this.#output.end();
    if (flushed !== true) this.#output.destroy();
    this.#input.destroy();
    this.#end();
  }

  #finishInput(): void {
    this.#inputDone = true;
    if (this.#held || this.#ended) return;
    this.#reader?.end();
    // The last line's handler may have asked to hold; its end must not overtake it.
    if (!this.#held) this.#end();
  }

  #end(cause?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    if (cause !== undefined) this.#queue.fail(cause);
    this.#receiver?.ended(cause);
  }
}

function flushAfter(hasMoreInput: () => boolean, flush: () => void): void {
  if (hasMoreInput()) setImmediate(flush);
  else flush();
}

class NodeOutlet implements Outlet {
  readonly #output: NodeOutput;
  readonly #hasMoreInput: () => boolean;

  constructor(output: NodeOutput, hasMoreInput: () => boolean) {
    this.#output = output;
    this.#hasMoreInput = hasMoreInput;
  }

  write(text: string): Promise<void> | undefined {
    if (this.#output.write(text)) return undefined;
    return new Promise((resolve) => this.#drained(resolve));
  }

  settled(): Promise<void> {
    if (this.#output.writableLength === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#output.write("", () => resolve());
    });
  }

  /**
   * In the middle of a chunk, whose frames are handled tick by tick, more to send is likely to follow: then the flush
   * waits until the chunk is through, and 64 answers lead to one write instead of 64.
   */
  soon(flush: () => void): void {
    process.nextTick(flushAfter, this.#hasMoreInput, flush);
  }

  /** A drain that cannot come any more, because the output is gone, must not be awaited for ever. */
  #drained(done: () => void): void {
    const output = this.#output;
    const finish = (): void => {
      output.off("drain", finish);
      output.off("close", finish);
      output.off("error", finish);
      done();
    };
    output.on("drain", finish);
    output.on("close", finish);
    output.on("error", finish);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
