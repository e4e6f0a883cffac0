// Reads a journal without holding up the program: a chunk at a time, and the event loop turns in between. Never changes
// the file.

import { open } from "node:fs/promises";
import type { Entry } from "./entry.ts";
import { MAX_LINE_BYTES, parseLine } from "./line.ts";

/** What was not read: lines that are no entries, and the bytes of a last line that has no end. */
export interface Damage {
  readonly skippedLines: number;
  readonly tornBytes: number;
}

export interface ReadOptions {
  /** Called once at the end, when there was any. */
  readonly onDamage?: ((damage: Damage) => void) | undefined;
}

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

/**
 * The entries of a journal in order, header first, in pieces; none of them is empty. A line counts when its newline is
 * there: then it was written whole. Throws what the file system throws.
 */
export async function* readEntries(path: string, options: ReadOptions = {}): AsyncGenerator<readonly Entry[], void> {
  const file = await open(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const lines = new Lines();
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      const entries = lines.parse(chunk.subarray(0, bytesRead));
      if (entries.length > 0) yield entries;
      if (bytesRead < CHUNK_BYTES) break;
    }
    const { damage } = lines;
    if (damage.skippedLines > 0 || damage.tornBytes > 0) options.onDamage?.(damage);
  } finally {
    await file.close();
  }
}

/** Puts lines together that chunks cut apart. */
class Lines {
  #unfinished: Buffer[] = [];
  #unfinishedBytes = 0;
  #skippedLines = 0;
  #tooLong = false;

  /** Does not keep the chunk. */
  parse(chunk: Buffer): Entry[] {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    const entries = end > 0 ? this.#parseWhole(chunk.subarray(0, end)) : [];
    if (end < chunk.length) this.#keep(chunk.subarray(end));
    return entries;
  }

  get damage(): Damage {
    return { skippedLines: this.#skippedLines, tornBytes: this.#unfinishedBytes };
  }

  #parseWhole(chunk: Buffer): Entry[] {
    const whole = this.#tooLong ? this.#skipLine(chunk) : Buffer.concat([...this.#unfinished, chunk]);
    this.#unfinished = [];
    this.#unfinishedBytes = 0;
    this.#tooLong = false;
    const entries: Entry[] = [];
    for (const line of whole.toString("utf8").split("\n")) {
      if (line === "") continue;
      const entry = parseLine(line);
      if (entry === undefined) this.#skippedLines++;
      else entries.push(entry);
    }
    return entries;
  }

  #skipLine(chunk: Buffer): Buffer {
    this.#skippedLines++;
    return chunk.subarray(chunk.indexOf(NEWLINE) + 1);
  }

  #keep(rest: Buffer): void {
    this.#unfinishedBytes += rest.length;
    if (this.#unfinishedBytes > MAX_LINE_BYTES) {
      this.#tooLong = true;
      this.#unfinished = [];
    }
    if (!this.#tooLong) this.#unfinished.push(Buffer.from(rest));
  }
}
