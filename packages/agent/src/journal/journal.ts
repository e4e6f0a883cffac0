// A session's file: entries are added at its end, one line each, and nothing is ever rewritten. What `append` has
// returned survives the death of the process; with `durable`, whole turns survive the death of the machine.

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { errorCode } from "../fault/error-code.ts";
import { type Fault, fault } from "../fault/fault.ts";
import { makeFolderSync } from "../folder/make-folder.ts";
import type { SessionId } from "../id/id.ts";
import { type Entry, type EntryBody, type Header, JOURNAL_VERSION } from "./entry.ts";
import { fileFault } from "./file-fault.ts";
import { journalPath, lockPath, readHeader } from "./header.ts";
import { MAX_LINE_BYTES, toEntry, toLine } from "./line.ts";
import { type Lock, takeLock } from "./lock.ts";
import { type ReadOptions, readEntries } from "./read.ts";
import { exists, type Failed, failed, inUse, type Missing, missing, unwritable } from "./refusal.ts";

/** Whoever has it open is the only one who writes it, until it is closed. */
export interface Journal extends Disposable {
  /** As it was written when the session was made; a later `roots` entry may have moved it. */
  readonly header: Header;
  /** Nothing when it is kept in memory. */
  readonly path: string | undefined;
  /** Writes an entry and returns it as written. Throws a `JournalError` when it cannot: then nothing was written. */
  append(body: EntryBody, at?: number): Entry;
  /** May be called again. */
  close(): void;
}

/** A header before it has a version and a time. */
export type NewHeader = Omit<Header, "type" | "version">;

export interface JournalOptions {
  /** Waits for the disk at the end of every turn: some milliseconds, for those who fear for the machine. */
  readonly durable?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

export interface CreateOptions {
  /** When the session was made, if that was not now. */
  readonly at?: number | undefined;
}

export interface Opened {
  readonly type: "opened";
  readonly journal: Journal;
  /** Bytes of a last line that was cut short by a crash, and is gone now. */
  readonly tornBytes: number;
  /** All entries so far, header first, in pieces. */
  entries(options?: ReadOptions): AsyncIterable<readonly Entry[]>;
}

/** A journal that cannot be written. Thrown by `append` alone. */
export class JournalError extends Error {
  override readonly name = "JournalError";

  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message, { cause: fault.cause });
    this.fault = fault;
  }
}

/** Makes the session's file, and the folder where it is missing. */
export function createJournal(
  folder: string,
  header: NewHeader,
  { at, ...options }: JournalOptions & CreateOptions = {},
): Opened | Failed {
  const path = journalPath(folder, header.id);
  try {
    makeFolderSync(folder, 0o700);
  } catch (cause) {
    return unwritable(cause, folder);
  }
  return withFile(folder, header.id, constants.O_CREAT, (file, lock) => {
    if (wholeBytes(file) > 0) return exists(header.id);
    truncateSync(path, 0);
    const journal = new FileJournal(path, toHeader(header), file, lock, 0, options);
    try {
      journal.begin(at);
    } catch (cause) {
      unlinkSync(path);
      throw cause;
    }
    return toOpened(journal, 0);
  });
}

/** Opens a session's file to go on with it. Makes nothing when there is none. */
export function openJournal(folder: string, id: SessionId, options: JournalOptions = {}): Opened | Missing | Failed {
  const path = journalPath(folder, id);
  const reading = readHeader(folder, id);
  if (reading.type !== "header") return reading;
  const opened = withFile(folder, id, 0, (file, lock) => {
    const length = wholeBytes(file);
    const tornBytes = fstatSync(file).size - length;
    if (tornBytes > 0) truncateSync(path, length);
    const journal = new FileJournal(path, reading.header, file, lock, length, options);
    return toOpened(journal, tornBytes);
  });
  // It may have been deleted between the two looks.
  return opened.type === "failed" && errorCode(opened.fault.cause) === "ENOENT" ? missing(id) : opened;
}

export function toHeader(header: NewHeader): Header {
  return { type: "session", version: JOURNAL_VERSION, ...header };
}

function toOpened(journal: FileJournal, tornBytes: number): Opened {
  return { type: "opened", journal, tornBytes, entries: (options) => readEntries(journal.path, options) };
}

class FileJournal implements Journal {
  readonly path: string;
  readonly header: Header;
  readonly #lock: Lock;
  readonly #durable: boolean;
  readonly #now: () => number;
  #file: number | undefined;
  /** Up to here the file is whole lines. */
  #length: number;
  /** Bytes of a failed write may stand behind `#length`. */
  #torn = false;

  constructor(path: string, header: Header, file: number, lock: Lock, length: number, options: JournalOptions) {
    this.path = path;
    this.header = header;
    this.#file = file;
    this.#lock = lock;
    this.#length = length;
    this.#durable = options.durable ?? false;
    this.#now = options.now ?? Date.now;
  }

  /** Writes the header. */
  begin(at: number = this.#now()): void {
    this.#write({ at, ...this.header });
  }

  append(body: EntryBody, at: number = this.#now()): Entry {
    const entry = toEntry(body, at);
    this.#write(entry);
    return entry;
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    this.#lock.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #write(entry: Entry): void {
    const file = this.#file;
    if (file === undefined) throw new JournalError(fault("journal", `Session ${this.header.id} is closed.`));
    const line = Buffer.from(toLine(entry));
    if (line.length > MAX_LINE_BYTES) throw new JournalError(tooLarge(line.length));
    try {
      if (this.#torn) this.#mend();
      for (let done = 0; done < line.length; ) done += writeSync(file, line, done);
      if (this.#durable && entry.type === "turn-ended") fdatasyncSync(file);
    } catch (cause) {
      this.#torn = true;
      this.#tryToMend();
      throw new JournalError(fileFault(cause, this.path));
    }
    this.#length += line.length;
  }

  #mend(): void {
    // By its path: on Windows a file that was opened to append cannot be cut.
    truncateSync(this.path, this.#length);
    this.#torn = false;
  }

  #tryToMend(): void {
    try {
      this.#mend();
    } catch {
      // The next append tries again, and so does the next open.
    }
  }
}

function tooLarge(bytes: number): Fault {
  return fault("journal", `An entry of ${bytes} bytes is too large to be written down. Send less at once.`);
}

/** Opens the file under the session's lock; both are given back unless an open journal comes out of it. */
function withFile(
  folder: string,
  id: SessionId,
  flags: number,
  use: (file: number, lock: Lock) => Opened | Failed,
): Opened | Failed {
  const path = journalPath(folder, id);
  let lock: Lock | undefined;
  let file: number | undefined;
  let opened: Opened | Failed | undefined;
  try {
    const locking = takeLock(lockPath(folder, id));
    if (locking.type === "held") return inUse(id, locking.pid);
    lock = locking.lock;
    file = openSync(path, constants.O_RDWR | constants.O_APPEND | flags, 0o600);
    opened = use(file, lock);
    return opened;
  } catch (cause) {
    return cause instanceof JournalError ? failed("unwritable", cause.fault) : unwritable(cause, path);
  } finally {
    if (opened?.type !== "opened") {
      if (file !== undefined) closeSync(file);
      lock?.release();
    }
  }
}

const BLOCK_BYTES = 64 * 1024;
const NEWLINE = 10;

/** How much of the file is whole lines. Looks from the end. */
function wholeBytes(file: number): number {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let end = fstatSync(file).size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const bytes = readSync(file, block, 0, end - start, start);
    const newline = block.subarray(0, bytes).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}
