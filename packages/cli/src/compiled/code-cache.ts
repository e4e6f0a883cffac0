// Where compiled code of a file is kept from one run to the next: beside the file, as other languages do it, or in the
// person's home where the file's folder is not theirs. V8 checks that it is of its own version, and no more: that it
// belongs to this content of the file, is whole, and was written by somebody we may trust is checked here.

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writevSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

export interface CodeCache {
  /** Nothing when there is none that can be used. */
  read(): KeptCode | undefined;
  /** Where it cannot be written, there is none. Never throws. */
  write(kept: Omit<KeptCode, "madeAt">): void;
}

export interface KeptCode {
  readonly code: Buffer;
  /** How many times it was made again. */
  readonly generation: number;
  readonly madeAt: number;
}

export interface CodeKey {
  /** Of the file's content. */
  readonly hash: string;
  /** What the program was started for: each uses another part of the file. */
  readonly purpose: string;
}

/** Checksum, generation and nothing: V8 copies what does not begin at a multiple of eight. */
const HEAD_BYTES = 8;

/** What is older belongs to a version that is gone, or is soon made again. */
const STALE_MS = 30 * 24 * 3_600_000;

/** A draft of this age was left by a program that was ended while it wrote. */
const STALE_DRAFT_MS = 3_600_000;

/** Far above what V8 makes of the whole program. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Follows no link to somewhere else, and waits for nobody at the other end of a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The best folder to write in comes first. */
export function openCodeCache(folders: readonly string[], { hash, purpose }: CodeKey): CodeCache {
  const name = `${purpose}-${hash}-${process.version}-${process.arch}.bin`;
  return {
    read: () => newestOf(folders.map((folder) => attempt(() => readCode(join(folder, name))))),
    write: (kept) => {
      const place = folders.find((folder) => attempt(() => writeCode(folder, name, kept)));
      if (place !== undefined) removeStale(place, `${purpose}-`);
    },
  };
}

/** Nothing where it cannot be done. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Of a folder that cannot be written any more, what is in it grows old, and stays. */
function newestOf(found: readonly (KeptCode | undefined)[]): KeptCode | undefined {
  return found.reduce((best, one) => ((one?.madeAt ?? 0) > (best?.madeAt ?? 0) ? one : best), undefined);
}

function readCode(path: string): KeptCode | undefined {
  const file = openSync(path, READ);
  try {
    const stats = fstatSync(file);
    if (!isTrusted(stats) || stats.size <= HEAD_BYTES || stats.size > MAX_BYTES) return undefined;
    const bytes = readFileSync(file);
    if (bytes.length <= HEAD_BYTES || bytes.readUInt32LE() !== crc32(bytes.subarray(4))) return undefined;
    return { code: bytes.subarray(HEAD_BYTES), generation: bytes.readUInt8(4), madeAt: stats.mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** A file that only we can write, or whoever could change the program itself. Not every system has owners. */
function isTrusted(stats: Stats): boolean {
  const own = process.getuid?.();
  if (!stats.isFile() || own === undefined) return stats.isFile();
  return (stats.uid === 0 || stats.uid === own) && (stats.mode & 0o022) === 0;
}

/** Whole or not at all, also when the machine loses power: V8 would stumble over a part of it. */
function writeCode(folder: string, name: string, { code, generation }: Omit<KeptCode, "madeAt">): true {
  makeFolder(folder);
  const path = join(folder, name);
  const draft = `${path}.${process.pid}-${Date.now()}`;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(generation, 4);
  head.writeUInt32LE(crc32(code, crc32(head.subarray(4))));
  const file = openSync(draft, "wx", 0o644);
  try {
    try {
      // A disk that is nearly full takes a part, and does not complain.
      if (writevSync(file, [head, code]) !== head.length + code.length) throw new Error("there is no room for it");
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    return true;
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

/** In a folder that is there: nobody needs a home for this alone. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, 0o755);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  }
}

function removeStale(folder: string, prefix: string): void {
  const names = attempt(() => readdirSync(folder)) ?? [];
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const limit = Date.now() - (name.endsWith(".bin") ? STALE_MS : STALE_DRAFT_MS);
    // Another program may be doing the same.
    attempt(() => statSync(join(folder, name)).mtimeMs < limit && rmSync(join(folder, name), { force: true }));
  }
}
