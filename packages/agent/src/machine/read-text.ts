// Reads text by lines, from files that may be far larger than memory: no further than the last line wanted, from the end
// where lines are counted from there, and never part of a character. Refuses what is not text rather than change it.

import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { detectEncoding } from "./detect-encoding.ts";
import { BLOCK_BYTES, countNewlines, type LineIndexes } from "./line-index.ts";
import { type FileLook, MachineError, type ReadRange } from "./machine.ts";
import { openToRead } from "./regular-file.ts";
import { decodeText, type TextEncoding } from "./text-encoding.ts";

/** The longest text that is read at once. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Lines are counted in files up to this size: less than a tenth of a second. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
/** What of a file's beginning tells its encoding. */
const PROBED_BYTES = 64 * 1024;
/** What of a file's beginning tells what else it is. */
const HEAD_BYTES = 1024;
const NEWLINE = 0x0a;

/** Where lines are is remembered in `indexes`, from one call to the next. */
export interface Reading {
  readonly indexes: LineIndexes;
  readonly signal: AbortSignal;
}

export async function readText(path: string, range: ReadRange | undefined, reading: Reading): Promise<string> {
  await using handle = await openToRead(path);
  const { encoding } = await probe(handle);
  if (encoding === undefined) throw notText(path);
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    return selectLines(decodeText(await readAll(handle, path, reading), encoding), range);
  }
  const bytes = await readLines(handle, path, range, reading);
  return decodeText(bytes, encodingOf(bytes, encoding, range) ?? fail(notText(path)));
}

/** Undefined for files that are too long for that. */
export async function countLines(path: string, reading: Reading): Promise<number | undefined> {
  await using handle = await openToRead(path);
  const { encoding, size } = await probe(handle);
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    if (size > MAX_TEXT_BYTES) return undefined;
    return linesIn(decodeText(await readAll(handle, path, reading), encoding));
  }
  const index = reading.indexes.of(await handle.stat());
  const known = index.find(Number.POSITIVE_INFINITY);
  if (size - known.position > MAX_COUNTED_BYTES) return undefined;
  let lines = known.lines;
  let last = NEWLINE;
  for await (const { block, position } of blocksOf(handle, known.position, reading.signal)) {
    index.note(position, lines);
    lines += countNewlines(block);
    last = block[block.length - 1] as number;
  }
  return last === NEWLINE ? lines : lines + 1;
}

export async function lookAtFile(path: string): Promise<FileLook> {
  await using handle = await openToRead(path);
  const { encoding, size, head } = await probe(handle);
  return { bytes: size, head: Uint8Array.from(head.subarray(0, HEAD_BYTES)), ...(encoding && { encoding }) };
}

async function probe(handle: FileHandle) {
  const { size } = await handle.stat();
  // Files of /proc say that they are empty.
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PROBED_BYTES), 0, PROBED_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  return { size, head, encoding: detectEncoding(head, { isWhole: bytesRead < PROBED_BYTES }) };
}

/** What was probed may be plain where the rest is not. Of a whole file, all of it tells its encoding. */
function encodingOf(bytes: Buffer, probed: TextEncoding, range: ReadRange | undefined): TextEncoding | undefined {
  if (probed === "utf-8" && isUtf8(bytes)) return "utf-8";
  const isWhole = range === undefined || (range.line === undefined && range.limit === undefined);
  return isWhole || probed === "utf-8" ? detectEncoding(bytes, { isWhole: true }) : probed;
}

async function readLines(
  handle: FileHandle,
  path: string,
  range: ReadRange | undefined,
  reading: Reading,
): Promise<Buffer> {
  const first = range?.line ?? 1;
  const { signal } = reading;
  const start = first < 0 ? await startOfLast(handle, path, -first, signal) : await startOf(handle, first - 1, reading);
  return readFrom(handle, path, range, { ...start, signal });
}

/** The block in which the line after `before` others begins; blocks on the way are noted. */
async function startOf(handle: FileHandle, before: number, { indexes, signal }: Reading) {
  if (before <= 0) return { position: 0, before: 0 };
  const index = indexes.of(await handle.stat());
  const known = index.find(before);
  let lines = known.lines;
  for await (const { block, position } of blocksOf(handle, known.position, signal)) {
    index.note(position, lines);
    const more = countNewlines(block);
    if (lines + more >= before) return { position, before: before - lines };
    lines += more;
  }
  return { position: Number.POSITIVE_INFINITY, before: 0 };
}

/** Backwards: where the last `count` lines begin. An ending at the very end begins no line. */
async function startOfLast(handle: FileHandle, path: string, count: number, signal: AbortSignal) {
  const { size } = await handle.stat();
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size));
  let left = count;
  for (let end = size; end > 0; ) {
    signal.throwIfAborted();
    if (size - end > MAX_TEXT_BYTES) throw tooLarge(path, { limit: count });
    const start = Math.max(end - BLOCK_BYTES, 0);
    const { bytesRead } = await handle.read(buffer, 0, end - start, start);
    const block = buffer.subarray(0, bytesRead);
    const from = end === size && block[bytesRead - 1] === NEWLINE ? bytesRead - 2 : bytesRead - 1;
    for (let at = block.lastIndexOf(NEWLINE, from); at !== -1 && from >= 0; at = block.lastIndexOf(NEWLINE, at - 1)) {
      if (--left === 0) return { position: start + at + 1, before: 0 };
      if (at === 0) break;
    }
    end = start;
  }
  return { position: 0, before: 0 };
}

async function readFrom(
  handle: FileHandle,
  path: string,
  range: ReadRange | undefined,
  from: { position: number; before: number; signal: AbortSignal },
): Promise<Buffer> {
  let { before } = from;
  let wanted = range?.limit ?? Number.POSITIVE_INFINITY;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  if (from.position === Number.POSITIVE_INFINITY || wanted === 0) return Buffer.alloc(0);
  for await (const { block } of blocksOf(handle, from.position, from.signal)) {
    const start = passLines(block, 0, before);
    before = start.left;
    if (before > 0) continue;
    const end = passLines(block, start.position, wanted);
    wanted = end.left;
    keptBytes += end.position - start.position;
    if (keptBytes > MAX_TEXT_BYTES) throw tooLarge(path, range);
    kept.push(Buffer.from(block.subarray(start.position, end.position)));
    if (wanted === 0) break;
  }
  return Buffer.concat(kept, keptBytes);
}

/** Each block is valid until the next one is asked for. */
async function* blocksOf(
  handle: FileHandle,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<{ readonly block: Buffer; readonly position: number }> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let position = from; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, BLOCK_BYTES, position);
    if (bytesRead === 0) return;
    yield { block: buffer.subarray(0, bytesRead), position };
    position += bytesRead;
  }
}

/** Where `count` more lines have ended in this block, and how many of them end only in a later one. */
function passLines(block: Buffer, from: number, count: number): { position: number; left: number } {
  if (count === Number.POSITIVE_INFINITY) return { position: block.length, left: count };
  let position = from;
  let left = count;
  while (left > 0) {
    const newline = block.indexOf(NEWLINE, position);
    if (newline === -1) return { position: block.length, left };
    position = newline + 1;
    left--;
  }
  return { position, left };
}

function readAll(handle: FileHandle, path: string, { signal }: Reading): Promise<Buffer> {
  return readFrom(handle, path, undefined, { position: 0, before: 0, signal });
}

/** The same lines `readText` selects in a file, of a text that is there already. */
export function selectLines(text: string, range: ReadRange | undefined): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const first = range?.line ?? 1;
  const start = first < 0 ? Math.max(lines.length + first, 0) : Math.max(first - 1, 0);
  return lines.slice(start, range?.limit === undefined ? undefined : start + range.limit).join("");
}

function linesIn(text: string): number {
  return text.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
}

function tooLarge(path: string, range: ReadRange | undefined): MachineError {
  const advice = range?.limit === undefined ? "Read a part of it." : "Its lines are too long to be read as text.";
  const limit = MAX_TEXT_BYTES / 1024 / 1024;
  return new MachineError("too-large", `${path} has more than ${limit} MiB to read at once. ${advice}`);
}

function notText(path: string): MachineError {
  return new MachineError("not-text", `${path} is not text`);
}

function fail(error: MachineError): never {
  throw error;
}
