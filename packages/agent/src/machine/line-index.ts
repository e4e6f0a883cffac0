// Where the lines of large files are: how many end before each block that has been scanned, so that nobody scans it twice.
// An index is of one state of a file; when size or times change, it is gone.

import type { Stats } from "node:fs";

/** Also the size of what is read at once. */
export const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Some 32 KiB for a file of 1 GiB. */
const MAX_FILES = 16;
/** Clocks of file systems are coarse: a file that was written just now may be written again and look the same. */
const SETTLED_MS = 100;

export interface LineIndex {
  /** The last scanned block in which line `before + 1` may begin: where it is, and how many lines end before it. */
  find(before: number): { readonly position: number; readonly lines: number };
  /** How many lines end before the block at `position`; of interest only right behind what is known. */
  note(position: number, lines: number): void;
}

export interface LineIndexes {
  of(stats: Stats): LineIndex;
}

export function createLineIndexes(): LineIndexes {
  const indexes = new Map<string, LineIndex>();
  return {
    of(stats) {
      if (Date.now() - stats.mtimeMs < SETTLED_MS) return createLineIndex();
      const key = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
      const index = indexes.get(key) ?? createLineIndex();
      indexes.delete(key);
      indexes.set(key, index);
      const [oldest] = indexes.size > MAX_FILES ? indexes.keys() : [];
      if (oldest !== undefined) indexes.delete(oldest);
      return index;
    },
  };
}

export function createLineIndex(): LineIndex {
  /** For each block, how many lines end before it. */
  const ended: number[] = [0];
  return {
    find(before) {
      let [low, high] = [0, ended.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((ended[middle] as number) <= before) low = middle;
        else high = middle - 1;
      }
      return { position: low * BLOCK_BYTES, lines: ended[low] as number };
    },
    note(position, lines) {
      if (position === ended.length * BLOCK_BYTES) ended.push(lines);
    },
  };
}

/** Four bytes at a time: line feeds are found many times faster than one by one. */
export function countNewlines(bytes: Buffer): number {
  const aligned = (4 - (bytes.byteOffset % 4)) % 4;
  const words = Math.max(Math.floor((bytes.length - aligned) / 4), 0);
  if (words < 16) return countBytewise(bytes, 0, bytes.length);
  const view = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, words);
  let count = countBytewise(bytes, 0, aligned) + countBytewise(bytes, aligned + words * 4, bytes.length);
  for (let start = 0; start < words; start += 255) count += countInWords(view, start, Math.min(start + 255, words));
  return count;
}

/** At most 255 words, since each byte of `sum` counts for its own. */
function countInWords(words: Int32Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at++) {
    const other = (words[at] as number) ^ 0x0a0a0a0a;
    // The top bit of a byte is set when the byte is not zero.
    const differs = ((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other;
    sum = (sum + ((~differs >>> 7) & 0x01010101)) | 0;
  }
  return (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24);
}

function countBytewise(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}
