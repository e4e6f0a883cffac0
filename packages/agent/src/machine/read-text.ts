// Reads text by lines, from files that may be far larger than memory: no further than the last line wanted, and never
// part of a character. Refuses what is not UTF-8 rather than change it.

import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { MachineError, type ReadRange } from "./machine.ts";
import { openToRead } from "./regular-file.ts";

/** The longest text that is read at once. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Lines are counted in files up to this size: about a tenth of a second. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
/** A NUL in this much of a file's beginning means that it is not text. */
const PROBED_BYTES = 8 * 1024;
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

export async function readText(path: string, range: ReadRange | undefined, signal: AbortSignal): Promise<string> {
  await using handle = await openToRead(path);
  let before = Math.max((range?.line ?? 1) - 1, 0);
  let wanted = range?.limit ?? Number.POSITIVE_INFINITY;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  for await (const chunk of chunksOf(handle, path, signal)) {
    const start = passLines(chunk, 0, before);
    before = start.left;
    if (before > 0) continue;
    const end = passLines(chunk, start.position, wanted);
    wanted = end.left;
    keptBytes += end.position - start.position;
    if (keptBytes > MAX_TEXT_BYTES) throw tooLarge(path, range);
    kept.push(Buffer.from(chunk.subarray(start.position, end.position)));
    if (wanted === 0) break;
  }
  const bytes = Buffer.concat(kept, keptBytes);
  if (!isUtf8(bytes)) throw notText(path);
  return bytes.toString("utf8");
}

/** Undefined for files that are too long for that. */
export async function countLines(path: string, signal: AbortSignal): Promise<number | undefined> {
  await using handle = await openToRead(path);
  if ((await handle.stat()).size > MAX_COUNTED_BYTES) return undefined;
  let lines = 0;
  let last = NEWLINE;
  for await (const chunk of chunksOf(handle, path, signal)) {
    lines += Number.MAX_SAFE_INTEGER - passLines(chunk, 0, Number.MAX_SAFE_INTEGER).left;
    last = chunk[chunk.length - 1] as number;
  }
  return last === NEWLINE ? lines : lines + 1;
}

/** Each chunk is valid until the next one is asked for. */
async function* chunksOf(handle: FileHandle, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    if (isFirst && buffer.subarray(0, Math.min(bytesRead, PROBED_BYTES)).includes(0)) throw notText(path);
    yield buffer.subarray(0, bytesRead);
  }
}

/** Where `count` more lines have ended in this chunk, and how many of them end only in a later one. */
function passLines(chunk: Buffer, from: number, count: number): { position: number; left: number } {
  if (count === Number.POSITIVE_INFINITY) return { position: chunk.length, left: count };
  let position = from;
  let left = count;
  while (left > 0) {
    const newline = chunk.indexOf(NEWLINE, position);
    if (newline === -1) return { position: chunk.length, left };
    position = newline + 1;
    left--;
  }
  return { position, left };
}

function tooLarge(path: string, range: ReadRange | undefined): MachineError {
  const advice = range?.limit === undefined ? "Read a part of it." : "Its lines are too long to be read as text.";
  const limit = MAX_TEXT_BYTES / 1024 / 1024;
  return new MachineError("too-large", `${path} has more than ${limit} MiB to read at once. ${advice}`);
}

function notText(path: string): MachineError {
  return new MachineError("not-text", `${path} is not UTF-8 text`);
}
