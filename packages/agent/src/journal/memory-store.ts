// Journals in memory, with the same promises but one: they end with the process. For embedders, for tests, and where
// there is no writable place.

import { fault } from "../fault/fault.ts";
import type { SessionId } from "../id/id.ts";
import { type Digest, foldDigest, type ListedSession, toListed } from "./digest.ts";
import type { Entry, EntryBody, Header } from "./entry.ts";
import { fillFork } from "./fork.ts";
import {
  type CreateOptions,
  type Journal,
  JournalError,
  type JournalOptions,
  type NewHeader,
  type Opened,
  toHeader,
} from "./journal.ts";
import { toEntry } from "./line.ts";
import { byNewest, toPage } from "./page.ts";
import { exists, type Failed, inUse, missing } from "./refusal.ts";
import type { Store } from "./store.ts";

export interface MemoryStoreOptions extends Pick<JournalOptions, "now"> {
  /** Past this many, the closed session that was made first is forgotten. */
  readonly maxSessions?: number | undefined;
}

export function memoryStore({ now = Date.now, maxSessions = 1000 }: MemoryStoreOptions = {}): Store {
  const tapes = new Map<SessionId, Tape>();

  function create(header: NewHeader, { at = now() }: CreateOptions = {}): Opened | Failed {
    if (tapes.has(header.id)) return exists(header.id);
    forgetSome(tapes, maxSessions - 1);
    const tape = new Tape(toHeader(header), at);
    tapes.set(header.id, tape);
    return openTape(tape, now);
  }

  return {
    create: async (header, options) => create(header, options),
    async open(id) {
      const tape = tapes.get(id);
      if (tape === undefined) return missing(id);
      return tape.isOpen ? inUse(id, process.pid) : openTape(tape, now);
    },
    exists: async (id) => tapes.has(id),
    async list(query = {}) {
      const sessions = [...tapes.values()].map(({ digest }) => toListed(digest));
      return toPage(
        sessions.filter((session): session is ListedSession => session !== undefined).sort(byNewest),
        query,
      );
    },
    async delete(id) {
      if (tapes.get(id)?.isOpen) return inUse(id, process.pid).fault;
      tapes.delete(id);
      return undefined;
    },
    async fork(from, header, { upTo } = {}) {
      const source = tapes.get(from);
      if (source === undefined) return missing(from);
      const opened = create({ ...header, forkedFrom: from });
      if (opened.type === "failed") return opened;
      const refusal = await fillFork(opened.journal, { id: from, entries: () => source.read() }, upTo);
      opened.journal.close();
      if (refusal !== undefined) tapes.delete(header.id);
      return refusal ?? { type: "forked" };
    },
  };
}

/** What outlives the journals that are opened on it. */
class Tape {
  readonly header: Header;
  readonly entries: Entry[] = [];
  digest: Digest | undefined;
  isOpen = false;

  constructor(header: Header, at: number) {
    this.header = header;
    this.add({ at, ...header });
  }

  add(entry: Entry): void {
    this.entries.push(entry);
    this.digest = foldDigest(this.digest, entry);
  }

  async *read(): AsyncGenerator<readonly Entry[], void> {
    yield [...this.entries];
  }
}

function openTape(tape: Tape, now: () => number): Opened {
  return { type: "opened", journal: new MemoryJournal(tape, now), tornBytes: 0, entries: () => tape.read() };
}

class MemoryJournal implements Journal {
  readonly path = undefined;
  readonly header: Header;
  readonly #tape: Tape;
  readonly #now: () => number;
  #isClosed = false;

  constructor(tape: Tape, now: () => number) {
    this.header = tape.header;
    this.#tape = tape;
    this.#now = now;
    tape.isOpen = true;
  }

  append(body: EntryBody, at: number = this.#now()): Entry {
    if (this.#isClosed) throw new JournalError(fault("journal", `Session ${this.header.id} is closed.`));
    const entry = toEntry(body, at);
    this.#tape.add(entry);
    return entry;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tape.isOpen = false;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function forgetSome(tapes: Map<SessionId, Tape>, keep: number): void {
  for (const [id, { isOpen }] of tapes) {
    if (tapes.size <= keep) return;
    if (!isOpen) tapes.delete(id);
  }
}
