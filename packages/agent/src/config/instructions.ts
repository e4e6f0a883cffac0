// What a person and a project tell every agent: AGENTAO.md, AGENTS.md, CLAUDE.md. Files are looked at each time and read
// when one of them changed. Only Markdown is read, and what a project links to outside of it is not: a link must not lead
// to what is private.

import { realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { openToRead } from "../machine/regular-file.ts";
import { stripFrontMatter } from "./front-matter.ts";
import { type InstructionFile, type InstructionSource, isInside, listInstructionFiles } from "./instruction-file.ts";

const MAX_FILE_BYTES = 32 * 1024;
const MAX_BYTES = 64 * 1024;
/** A shorter piece of a file says nothing. */
const MIN_CUT_BYTES = 256;
/** Enough for the longest text and what is stripped from it. */
const MAX_READ_BYTES = 64 * 1024;

export interface Instructions {
  /** The person's come first, the nearest to `cwd` last. While nothing changes, the answer is the same. Never rejects. */
  read(): Promise<string | undefined>;
  /** The files it comes from, in the same order. Never rejects. */
  files(): Promise<readonly FileInForce[]>;
}

/** A file whose text is told to the model, or that would be if there were room. */
export interface FileInForce {
  readonly path: string;
  readonly bytes: number;
  /** Left out at its end, because it or all of them are too long. */
  readonly droppedBytes: number;
}

export function createInstructions(source: InstructionSource): Instructions {
  let known: Reading | undefined;
  const look = async (): Promise<Reading | undefined> => {
    try {
      const files = await listInstructionFiles(source);
      const stamps = await Promise.all(files.map(({ path }) => stampOf(path)));
      if (known === undefined || !(await isCurrent(known, stamps))) known = await readAll(files, stamps);
      return known;
    } catch {
      return undefined;
    }
  };
  return {
    read: async () => (await look())?.text,
    files: async () => (await look())?.files ?? [],
  };
}

interface Reading {
  readonly text: string | undefined;
  readonly files: readonly FileInForce[];
  readonly stamps: readonly Stamp[];
  readonly imported: readonly Stamp[];
}

// ---- whether they changed ----

interface Stamp {
  readonly path: string;
  readonly mark: string;
}

async function stampOf(path: string): Promise<Stamp> {
  const stats = await stat(path).catch(() => undefined);
  const mark = stats === undefined ? "none" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
  return { path, mark };
}

async function isCurrent(known: Reading, stamps: readonly Stamp[]): Promise<boolean> {
  if (!isSame(known.stamps, stamps)) return false;
  return isSame(known.imported, await Promise.all(known.imported.map(({ path }) => stampOf(path))));
}

function isSame(some: readonly Stamp[], others: readonly Stamp[]): boolean {
  const isEqual = (stamp: Stamp, at: number) => stamp.path === others[at]?.path && stamp.mark === others[at]?.mark;
  return some.length === others.length && some.every(isEqual);
}

// ---- what they say ----

interface Piece {
  readonly path: string;
  readonly label: string;
  readonly realPath: string;
  readonly body: string;
  readonly unreadBytes: number;
}

async function readAll(files: readonly InstructionFile[], stamps: readonly Stamp[]): Promise<Reading> {
  const imported: Stamp[] = [];
  const read = async (file: InstructionFile): Promise<Piece | undefined> => {
    const piece = await readPiece(file.path, file);
    const wanted = piece && importIn(piece.body);
    if (wanted === undefined) return piece;
    const path = resolve(dirname(file.path), wanted);
    if (!isInside(path, file.realm)) return piece;
    // Stamped before it is read: a change in between shows the next time.
    imported.push(await stampOf(path));
    return readImport(path, file, piece);
  };
  const pieces = await Promise.all(files.map(read));
  const told = bound(distinct(pieces.filter((piece) => piece !== undefined))).toReversed();
  const inForce = told.map(({ path, bytes, droppedBytes }) => ({ path, bytes, droppedBytes }));
  return { stamps, imported, files: inForce, text: render(told) };
}

/** A file that says nothing but `@other.md` stands for the other. */
export function importIn(body: string): string | undefined {
  return /^@(\S+)$/.exec(body)?.[1];
}

/** Nothing else is read, whatever a project says. */
export function isInstructionName(path: string): boolean {
  return /\.md$/i.test(path);
}

/** What it may not stand for leaves the line as it is; an import of an import says nothing. */
async function readImport(path: string, file: InstructionFile, line: Piece | undefined): Promise<Piece | undefined> {
  const piece = await readPiece(path, file);
  const realm = await realpath(file.realm);
  if (piece === undefined || !isInside(piece.realPath, realm)) return line;
  return importIn(piece.body) === undefined ? piece : undefined;
}

async function readPiece(path: string, { label, realm, mayLeave }: InstructionFile): Promise<Piece | undefined> {
  try {
    const realPath = await realpath(path);
    if (!isInstructionName(realPath)) return undefined;
    if (!mayLeave && !isInside(realPath, await realpath(realm))) return undefined;
    const { text, unreadBytes } = await readStart(realPath);
    const body = stripFrontMatter(text).replaceAll("\r\n", "\n").trim();
    return body === "" || body.includes("\0") ? undefined : { path, label: label(path), realPath, body, unreadBytes };
  } catch {
    return undefined;
  }
}

async function readStart(path: string): Promise<{ text: string; unreadBytes: number }> {
  const handle = await openToRead(path);
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, MAX_READ_BYTES));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { text: buffer.toString("utf8", 0, bytesRead), unreadBytes: size - bytesRead };
  } finally {
    await handle.close();
  }
}

/** Of the same text in two files, or in one with two names, the nearest. */
function distinct(pieces: readonly Piece[]): Piece[] {
  const bodies = new Set<string>();
  return pieces.filter(({ body }) => !bodies.has(body) && bodies.add(body));
}

interface BoundPiece extends FileInForce {
  readonly label: string;
  readonly kept: string;
}

/** The nearest take what they need; what is left is for those further away. */
function bound(pieces: readonly Piece[]): BoundPiece[] {
  let leftBytes = MAX_BYTES;
  return pieces.map(({ path, label, body, unreadBytes }) => {
    const kept = cutAtLine(body, Math.min(MAX_FILE_BYTES, leftBytes));
    const keptBytes = Buffer.byteLength(kept);
    leftBytes -= keptBytes;
    const bytes = Buffer.byteLength(body) + unreadBytes;
    return { path, label, kept, bytes, droppedBytes: bytes - keptBytes };
  });
}

function cutAtLine(body: string, maxBytes: number): string {
  const bytes = Buffer.from(body);
  if (bytes.length <= maxBytes) return body;
  if (maxBytes < MIN_CUT_BYTES) return "";
  const lineEnd = bytes.subarray(0, maxBytes + 1).lastIndexOf("\n");
  return bytes.toString("utf8", 0, lineEnd >= 0 ? lineEnd : characterEnd(bytes, maxBytes)).trimEnd();
}

function characterEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

function render(pieces: readonly BoundPiece[]): string | undefined {
  return pieces.length === 0 ? undefined : pieces.map(renderPiece).join("\n\n");
}

function renderPiece({ label, kept, droppedBytes }: BoundPiece): string {
  const note = `[${droppedBytes} more bytes of ${label} are left out here. Read the file when you need them.]`;
  return [`Instructions from ${label}:`, kept, droppedBytes > 0 ? note : ""].filter((part) => part !== "").join("\n\n");
}
