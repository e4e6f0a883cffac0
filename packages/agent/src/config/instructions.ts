// What a person and a project tell every agent: AGENTAO.md, AGENTS.md, CLAUDE.md. Files are looked at each time and read
// when one of them changed. Only Markdown is read, and what a project links to outside of it is not: a link must not lead
// to what is private.

import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { openToRead } from "../machine/regular-file.ts";
import { findRepository } from "./branch.ts";
import { stripFrontMatter } from "./front-matter.ts";

export interface InstructionSource {
  readonly cwd: string;
  /** The session's folders; `cwd` may be among them. */
  readonly roots: readonly string[];
  /** The person's `.agentao` folder. */
  readonly home?: string | undefined;
}

const PROJECT_FILES = ["AGENTAO.md", "AGENTS.md", "CLAUDE.md"];
const PERSONAL_FILES = ["AGENTAO.md", "AGENTS.md"];
const MAX_FILE_BYTES = 32 * 1024;
const MAX_BYTES = 64 * 1024;
/** A shorter piece of a file says nothing. */
const MIN_CUT_BYTES = 256;
/** Enough for the longest text and what is stripped from it. */
const MAX_READ_BYTES = 64 * 1024;

/** The person's come first, the nearest to `cwd` last. While nothing changes, the answer is the same. Never rejects. */
export function createInstructions(source: InstructionSource): () => Promise<string | undefined> {
  let known: Reading | undefined;
  return async () => {
    try {
      const repository = await findRepository(source.cwd);
      const files = listFiles(source, repository);
      const stamps = await Promise.all(files.map(({ path }) => stampOf(path)));
      if (known === undefined || !(await isCurrent(known, stamps))) known = await readAll(files, stamps);
      return known.text;
    } catch {
      return undefined;
    }
  };
}

interface Reading {
  readonly text: string | undefined;
  readonly stamps: readonly Stamp[];
  readonly imported: readonly Stamp[];
}

// ---- where they are ----

interface InstructionFile {
  readonly path: string;
  /** Imports must stay inside of it. */
  readonly realm: string;
  /** Whether the file itself may be a link to somewhere else: the person's own may. */
  readonly mayLeave: boolean;
  readonly label: (path: string) => string;
}

/** Nearest first; in one folder, ours first. What comes first is dropped last, and told last. */
function listFiles({ cwd, roots, home }: InstructionSource, repository: string | undefined): InstructionFile[] {
  const project = repository ?? cwd;
  const labelProject = (path: string): string => (isInside(path, project) ? slashed(relative(project, path)) : path);
  const folders = new Set([...between(cwd, project), ...roots]);
  const files = [...folders].flatMap((folder) => {
    const realm = isInside(folder, project) ? project : folder;
    return PROJECT_FILES.map((name) => ({ path: join(folder, name), realm, mayLeave: false, label: labelProject }));
  });
  if (home === undefined) return files;
  const labelPersonal = (path: string): string => `~/.agentao/${slashed(relative(home, path))}`;
  const own = PERSONAL_FILES.map((name) => ({
    path: join(home, name),
    realm: home,
    mayLeave: true,
    label: labelPersonal,
  }));
  return [...files, ...own];
}

function between(folder: string, root: string): string[] {
  return folder === root || dirname(folder) === folder ? [folder] : [folder, ...between(dirname(folder), root)];
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function slashed(path: string): string {
  return path.split(sep).join("/");
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
  return { stamps, imported, text: render(bound(distinct(pieces.filter((piece) => piece !== undefined)))) };
}

/** A file that says nothing but `@other.md` stands for the other. */
function importIn(body: string): string | undefined {
  return /^@(\S+)$/.exec(body)?.[1];
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
    if (!/\.md$/i.test(realPath)) return undefined;
    if (!mayLeave && !isInside(realPath, await realpath(realm))) return undefined;
    const { text, unreadBytes } = await readStart(realPath);
    const body = stripFrontMatter(text).replaceAll("\r\n", "\n").trim();
    return body === "" || body.includes("\0") ? undefined : { label: label(path), realPath, body, unreadBytes };
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

interface BoundPiece {
  readonly label: string;
  readonly kept: string;
  readonly droppedBytes: number;
}

/** The nearest take what they need; what is left is for those further away. */
function bound(pieces: readonly Piece[]): BoundPiece[] {
  let leftBytes = MAX_BYTES;
  return pieces.map(({ label, body, unreadBytes }) => {
    const kept = cutAtLine(body, Math.min(MAX_FILE_BYTES, leftBytes));
    const keptBytes = Buffer.byteLength(kept);
    leftBytes -= keptBytes;
    return { label, kept, droppedBytes: Buffer.byteLength(body) - keptBytes + unreadBytes };
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
  return pieces.length === 0 ? undefined : pieces.toReversed().map(renderPiece).join("\n\n");
}

function renderPiece({ label, kept, droppedBytes }: BoundPiece): string {
  const note = `[${droppedBytes} more bytes of ${label} are left out here. Read the file when you need them.]`;
  return [`Instructions from ${label}:`, kept, droppedBytes > 0 ? note : ""].filter((part) => part !== "").join("\n\n");
}
