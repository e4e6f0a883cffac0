// Reads of a session's file what its digest needs, and only what was added since the last look. Most lines are passed
// over without being parsed.

import { closeSync, openSync, readSync } from "node:fs";
import { type Digest, foldDigest } from "./digest.ts";
import type { Entry } from "./entry.ts";
import { MAX_LINE_BYTES, parseLine } from "./line.ts";
import type { Pace } from "./pace.ts";

/** What is known of a file up to a byte that ends a line. */
export interface Scan {
  /** Nothing when the file does not begin with a header. */
  readonly digest: Digest | undefined;
  readonly readTo: number;
}

export const UNREAD: Scan = { digest: undefined, readTo: 0 };

const CHUNK_BYTES = 256 * 1024;

/** Scans one file after the other; not two at once. */
export class Scanner {
  readonly #pace: Pace;
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Goes on from an earlier scan of the same file. Throws what the file system throws. */
  async scan(path: string, from: Scan): Promise<Scan> {
    const file = openSync(path, "r");
    try {
      let { digest, readTo } = from;
      for (;;) {
        const bytes = readSync(file, this.#chunk, 0, this.#chunk.length, readTo);
        const isLast = bytes < this.#chunk.length;
        const end = this.#chunk.subarray(0, bytes).lastIndexOf(NEWLINE) + 1;
        if (end > 0) {
          digest = foldLines(this.#chunk.subarray(0, end), digest);
          readTo += end;
        }
        if (isLast) return { digest, readTo };
        if (end === 0 && !this.#grow()) return { digest, readTo };
        if (this.#pace.isDue) await this.#pace.rest();
      }
    } finally {
      closeSync(file);
    }
  }

  /** For a line that is longer than the chunk. */
  #grow(): boolean {
    if (this.#chunk.length >= MAX_LINE_BYTES) return false;
    this.#chunk = Buffer.allocUnsafe(2 * this.#chunk.length);
    return true;
  }
}

const NEWLINE = 10;
// A quote inside a JSON string is escaped, so these match a key and its value only: of the entry, or of something in it.
const PROMPT = Buffer.from('"type":"prompt"');
const TITLE = Buffer.from('"type":"title"');
const ROOTS = Buffer.from('"type":"roots"');

function foldLines(lines: Buffer, from: Digest | undefined): Digest | undefined {
  const header = from === undefined ? parseLine(lines.toString("utf8", 0, lines.indexOf(NEWLINE))) : undefined;
  let digest = header === undefined ? from : foldDigest(undefined, header);
  for (const mark of digest?.prompted ? [TITLE, ROOTS] : [PROMPT, TITLE, ROOTS]) {
    for (const entry of entriesWith(mark, lines)) {
      digest = foldDigest(digest, entry);
      if (mark === PROMPT && digest?.prompted) break;
    }
  }
  return digest && { ...digest, updatedAt: lastTime(lines) ?? digest.updatedAt };
}

function* entriesWith(mark: Buffer, lines: Buffer): Generator<Entry> {
  for (let at = lines.indexOf(mark); at >= 0; ) {
    const start = lines.lastIndexOf(NEWLINE, at) + 1;
    const end = lines.indexOf(NEWLINE, at);
    const entry = parseLine(lines.toString("utf8", start, end));
    if (entry !== undefined) yield entry;
    at = lines.indexOf(mark, end);
  }
}

function lastTime(lines: Buffer): number | undefined {
  const end = lines.length - 1;
  const start = end > 0 ? lines.lastIndexOf(NEWLINE, end - 1) + 1 : 0;
  const beginning = lines.toString("latin1", start, Math.min(start + 32, end));
  const time = /^\{"at":(\d+)[,}]/.exec(beginning)?.[1];
  return time === undefined ? parseLine(lines.toString("utf8", start, end))?.at : Number(time);
}
