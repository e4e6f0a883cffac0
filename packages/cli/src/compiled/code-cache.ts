// Where compiled code of a file is kept from one run to the next: beside the file, as other languages do it, or in the
// person's home where the file's folder is not theirs. V8 checks that it is of its own version, and no more: that it
// belongs to this content of the file, is whole, and was written by somebody we may trust is checked here.

import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
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

/** The best folder comes first. */
export function openCodeCache(folders: readonly string[], { hash, purpose }: CodeKey): CodeCache {
  const name = `${purpose}-${hash}-${process.version}-${process.arch}.bin`;
  return {
    read: () => firstOf(folders, (folder) => readCode(join(folder, name))),
    write: (kept) => {
      firstOf(folders, (folder) => {
        makeFolder(folder);
        writeCode(join(folder, name), kept);
        removeStale(folder, `${purpose}-`);
        return true;
      });
    },
  };
}

function firstOf<Found>(folders: readonly string[], find: (folder: string) => Found | undefined): Found | undefined {
  for (const folder of folders) {
    try {
      const found = find(folder);
      if (found !== undefined) return found;
    } catch {
      // Not there, or not ours: the next one may be.
    }
  }
  return undefined;
}

/** In a folder that is there: nobody needs a home for this alone. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
  }
}

function readCode(path: string): KeptCode | undefined {
  const file = openSync(path, "r");
  try {
    const { uid, mtimeMs } = fstatSync(file);
    const bytes = readFileSync(file);
    if (!isTrusted(uid) || bytes.length <= HEAD_BYTES || bytes.readUInt32LE() !== crc32(bytes.subarray(4))) return;
    return { code: bytes.subarray(HEAD_BYTES), generation: bytes.readUInt8(4), madeAt: mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** Ours, or of whoever could change the program itself. Systems without owners say 0. */
function isTrusted(owner: number): boolean {
  return owner === 0 || owner === process.getuid?.();
}

/** Whole or not at all, also when the machine loses power: V8 would stumble over a part of it. */
function writeCode(path: string, { code, generation }: Omit<KeptCode, "madeAt">): void {
  const draft = `${path}.${process.pid}`;
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(generation, 4);
  head.writeUInt32LE(crc32(code, crc32(head.subarray(4))));
  try {
    const file = openSync(draft, "wx");
    try {
      writevSync(file, [head, code]);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

function removeStale(folder: string, prefix: string): void {
  const limit = Date.now() - STALE_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix) && statSync(path).mtimeMs < limit) rmSync(path, { force: true });
  }
}
