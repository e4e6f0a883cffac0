// Selects lines of a text that may be far larger than memory: reads no further than the last line wanted, keeps line
// endings as they are, and refuses what is not UTF-8 rather than change it.

import type { FileHandle } from "node:fs/promises";
import { RpcError } from "../error/rpc-error.ts";
import { isUtf8 } from "./builtin.ts";

/** Lines end after "\n". `limit` undefined: all that follow. */
export type LineRange = { readonly line: number; readonly limit: number | undefined };

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** `line` counts from 1; 0 is taken as 1, for agents that count from 0 mean the first line by it. */
export function toLineRange(params: {
  readonly line?: number | null | undefined;
  readonly limit?: number | null | undefined;
}): LineRange {
  const line = parseCount(params.line, "line") ?? 1;
  return { line: Math.max(line, 1), limit: parseCount(params.limit, "limit") };
}

/** Reads on from the handle's position, until the end of the file or until nobody asks for more. */
export async function* chunksOf(handle: FileHandle, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for (;;) {
    if (signal?.aborted) throw RpcError.cancelled();
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

export async function selectLines(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  range: LineRange,
  options: { readonly path: string; readonly maxBytes: number; readonly totalBytes?: number },
): Promise<string> {
  const isWhole = range.line === 1 && range.limit === undefined;
  if (isWhole && (options.totalBytes ?? 0) > options.maxBytes) throw tooLong(range, options);

  let before = range.line - 1;
  let wanted = range.limit ?? Number.POSITIVE_INFINITY;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  if (wanted > 0) {
    for await (const chunk of chunks) {
      const start = passLines(chunk, 0, before);
      before = start.left;
      if (before > 0) continue;
      const end = passLines(chunk, start.position, wanted);
      wanted = end.left;
      kept.push(chunk.subarray(start.position, end.position));
      keptBytes += end.position - start.position;
      if (keptBytes > options.maxBytes) throw tooLong(range, options);
      if (wanted === 0) break;
    }
  }
  const text = Buffer.concat(kept, keptBytes);
  if (!isUtf8(text)) throw notText(options.path);
  return text.toString("utf8");
}

function parseCount(value: number | null | undefined, field: string): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || value < 0) {
    throw RpcError.invalidParams(`${field} must be a whole number, 0 or more.`, { [field]: value });
  }
  return value;
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

function tooLong(range: LineRange, { path, maxBytes }: { readonly path: string; readonly maxBytes: number }): RpcError {
  const advice =
    range.limit === undefined
      ? "Read a part of it with line and limit."
      : "Ask for fewer lines; a longer single line cannot be read.";
  return RpcError.invalidParams(`${path} is too long to be read at once (over ${maxBytes} bytes). ${advice}`, {
    path,
    maxBytes,
  });
}

function notText(path: string): RpcError {
  return RpcError.invalidParams(`${path} is not UTF-8 text. Use a tool that reads other encodings or binary files.`, {
    path,
  });
}
