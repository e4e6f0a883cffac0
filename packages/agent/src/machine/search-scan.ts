// Searches files one by one, where there is no ripgrep. Slower, with the same answers.

import { open } from "node:fs/promises";
import { join } from "node:path";
import { walk } from "./find-walk.ts";
import type { Ended } from "./ripgrep.ts";
import type { Hits } from "./search-hits.ts";
import { showWindow, windowAround } from "./search-line.ts";
import { type Find, toFind } from "./search-match.ts";
import type { Search } from "./search-query.ts";

const MAX_FILES = 200_000;
const AT_ONCE = 8;
const CHUNK_BYTES = 256 * 1024;
/** A line that is longer is searched in parts. */
const MAX_LINE_CHARS = 8 * 1024 * 1024;

interface Scan {
  readonly find: Find;
  readonly hits: Hits;
  /** Why it ends before everything was read. */
  ended(): Ended | undefined;
  enough(): void;
}

/** Throws the signal's reason, and `failed` for a pattern that is not valid. */
export async function searchByScan(
  search: Search,
  hits: Hits,
  { maxMs }: { readonly maxMs: number },
  signal: AbortSignal,
): Promise<Ended> {
  const until = performance.now() + maxMs;
  let isEnough = false;
  const scan: Scan = {
    find: toFind(search),
    hits,
    ended: () => (isEnough ? "too-many" : performance.now() > until ? "too-long" : undefined),
    enough: () => {
      isEnough = true;
    },
  };
  const { paths, isPartial } = await listFiles(search, signal);
  const next = paths.values();
  await Promise.all(Array.from({ length: AT_ONCE }, () => scanEach(next, scan, signal)));
  return scan.ended() ?? (isPartial ? "too-long" : "by-itself");
}

async function listFiles(search: Search, signal: AbortSignal) {
  const { folder, onlyFile } = search;
  if (onlyFile !== undefined) return { paths: [join(folder, onlyFile)], isPartial: false };
  const maxDepth = Number.POSITIVE_INFINITY;
  return walk(folder, { ...search, links: "drop", maxDepth, maxFiles: MAX_FILES }, signal);
}

async function scanEach(paths: Iterator<string>, scan: Scan, signal: AbortSignal): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let next = paths.next(); !next.done; next = paths.next()) {
    signal.throwIfAborted();
    if (scan.ended() !== undefined) return;
    await scanFile(next.value, buffer, scan, signal).catch((error: unknown) => {
      // The others need not go on.
      scan.enough();
      throw error;
    });
  }
}

/** One that cannot be read has nothing in it. A byte that no text has makes a file binary, wherever it stands. */
async function scanFile(path: string, buffer: Buffer, scan: Scan, signal: AbortSignal): Promise<void> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return;
  await using file = handle;
  let decoder: Decoder | undefined;
  let pending = "";
  let line = 1;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES).catch(() => ({ bytesRead: 0 }));
    signal.throwIfAborted();
    const bytes = buffer.subarray(0, bytesRead);
    decoder ??= decoderOf(bytes);
    const text = decoder.decode(bytes, { stream: bytesRead > 0 });
    if (text.includes("\0")) return scan.hits.drop(path);
    const lines = (pending + text).split("\n");
    pending = bytesRead > 0 && (lines.at(-1) as string).length < MAX_LINE_CHARS ? (lines.pop() as string) : "";
    if (bytesRead === 0 && lines.at(-1) === "") lines.pop();
    if (!report(path, line, lines, scan)) return scan.enough();
    line += lines.length;
    if (bytesRead === 0 || scan.ended() !== undefined) return;
  }
}

type Decoder = InstanceType<typeof TextDecoder>;

function decoderOf(bytes: Buffer): Decoder {
  const mark = bytes.subarray(0, 2).toString("hex");
  return new TextDecoder(mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8");
}

/** False when that is enough. */
function report(path: string, first: number, lines: readonly string[], { find, hits }: Scan): boolean {
  const found = find(lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)));
  for (const [offset, at] of found.entries()) {
    if (at >= 0 && !hits.add(path, first + offset, shown(lines[offset] as string, at))) return false;
  }
  return true;
}

function shown(line: string, at: number): string {
  const bytes = Buffer.from(line);
  const window = windowAround(Buffer.byteLength(line.slice(0, at)));
  return showWindow(bytes.subarray(window.from, window.to), window, bytes.length);
}
