// The other side of a replay: frames out, frames in, and waits for something to happen.

import type { Readable, Writable } from "node:stream";
import { toShape } from "./frame-shape.ts";
import { Lines } from "./lines.ts";
import type { Said } from "./steps.ts";

export class Wire {
  readonly #output: Writable;
  readonly #waiting = new Set<() => void>();
  #ended = false;
  #strange = 0;

  /** `onSaid` hears every frame, in order. Lines that are none are only counted. */
  constructor(input: Readable, output: Writable, onSaid: (said: Said) => void) {
    this.#output = output;
    output.on("error", () => this.#end());
    const lines = new Lines();
    input.on("data", (chunk: Uint8Array) => {
      for (const { bytes } of lines.take(chunk)) {
        const said = toShape(parse(Buffer.from(bytes).toString("utf8")));
        if (said.type !== "none") onSaid(said);
        else if (bytes.length > 0) this.#strange++;
      }
      this.#wake();
    });
    input.once("end", () => this.#end());
    input.once("close", () => this.#end());
    input.once("error", () => this.#end());
  }

  /** The other side says nothing more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** How many lines were no frames. */
  get strange(): number {
    return this.#strange;
  }

  send(frame: object): void {
    if (!this.#output.destroyed && !this.#output.writableEnded) {
      this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
    }
  }

  /** Whether it became so, before the other side ended and before the time was over. */
  async until(isSo: () => boolean, { withinMs }: { withinMs: number }): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (!isSo()) {
      const leftMs = deadline - performance.now();
      if (this.#ended || leftMs <= 0) return false;
      await this.#news(leftMs);
    }
    return true;
  }

  /** For somebody who wants to end all waits. */
  stop(): void {
    this.#end();
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      // A timer that is set to more fires at once.
      const timer = withinMs < 2 ** 31 ? setTimeout(done, withinMs) : undefined;
      this.#waiting.add(done);
    });
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
