// All sessions of one runtime. An embedder hands in everything it needs: nothing is discovered here.

import { type Fault, fault } from "../fault/fault.ts";
import { type Ids, parseSessionId, randomIds, type SessionId } from "../id/id.ts";
import type { ListedSession } from "../journal/digest.ts";
import type { EntryBody } from "../journal/entry.ts";
import { type Journal, JournalError } from "../journal/journal.ts";
import { memoryStore } from "../journal/memory-store.ts";
import type { ListQuery } from "../journal/page.ts";
import type { SessionPage, Store } from "../journal/store.ts";
import { createCatalogue } from "../model/catalogue.ts";
import type { ModelCatalogue } from "../model/model.ts";
import type { Door } from "./door.ts";
import type { EmbeddedSession, SessionOptions } from "./embedded-session.ts";
import { findProblem } from "./find-problem.ts";
import type { Opened } from "./opened.ts";
import type { ForeignSessions, Place, RuntimeOptions } from "./runtime-options.ts";
import type { Session } from "./session.ts";
import { type SessionStart, startSession } from "./start-session.ts";
import { placeOf, whatIsMissing } from "./what-is-missing.ts";

export type { Opened, Place };

const MAX_FOLDERS = 64;

export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #store: Store;
  readonly #catalogue: ModelCatalogue;
  readonly #ids: Ids;
  readonly #live = new Map<string, Session>();
  readonly #embedded = new Map<string, EmbeddedSession>();
  readonly #foreign = new Map<string, ForeignSessions>();
  readonly #opening = new Set<string>();
  #isClosed = false;

  constructor(options: RuntimeOptions) {
    const { catalogue, models = [], store = memoryStore() } = options;
    if (catalogue === undefined && models.length === 0) throw new TypeError("A runtime needs models, or a catalogue.");
    this.#options = options;
    this.#store = store;
    this.#catalogue = catalogue ?? createCatalogue(models);
    this.#ids = options.ids ?? randomIds();
  }

  // ---- for embedders: sessions whose turns are iterated over ----

  /** Begins a session. It needs a `cwd` where there is a machine. Throws a `SessionError`. */
  start(options: SessionOptions = {}): Promise<EmbeddedSession> {
    const { cwd = this.#options.machine === undefined ? "/" : "", ...rest } = options;
    return this.#embed((door) => this.create({ ...rest, cwd }, () => door), options);
  }

  /** Goes on with a stored session; where it was, when no `cwd` is given. Throws a `SessionError`. */
  resume(id: string, options: SessionOptions = {}): Promise<EmbeddedSession> {
    const { cwd, ...rest } = options;
    return this.#embed((door) => this.open(id, cwd === undefined ? rest : { ...rest, cwd }, () => door), options);
  }

  async #embed(open: (door: Door) => Promise<Opened>, options: SessionOptions): Promise<EmbeddedSession> {
    const { openEmbedded } = await import("./embedded-session.ts");
    const { askPermission, askPerson, elicit } = this.#options;
    const embedded = await openEmbedded(
      open,
      { askPermission, askPerson, elicit, ...options },
      { isClosed: () => this.#isClosed, close: (id) => this.closeSession(id) },
    );
    this.#embedded.set(embedded.id, embedded);
    return embedded;
  }

  // ---- for doors: sessions that tell whoever they are given ----

  /** A session that is open here. */
  live(id: string): Session | undefined {
    return this.#live.get(id);
  }

  async create(place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return badPlace(problem);
    const id = this.#ids.session();
    const openJournal = () => this.#store.create({ id, ...toHeader(place) });
    return this.#start({ id, place, door: door(id), openJournal, entries: [] });
  }

  /** Opens a stored session. Without a folder it goes on where it was. */
  async open(id: string, place: Place | Omit<Place, "cwd">, door: (id: SessionId) => Door): Promise<Opened> {
    const sessionId = parseSessionId(id);
    if (sessionId === undefined) return { type: "missing" };
    if (this.#live.has(id) || this.#opening.has(id)) return { type: "active" };
    this.#opening.add(id);
    try {
      return await this.#openStored(sessionId, place, door);
    } finally {
      this.#opening.delete(id);
    }
  }

  /** A session that lives elsewhere, given as entries; it is stored under its id from now on. */
  async adopt(id: string, place: Place, entries: readonly EntryBody[], door: (id: SessionId) => Door): Promise<Opened> {
    const sessionId = parseSessionId(id);
    if (sessionId === undefined) return { type: "missing" };
    if (this.#live.has(id)) return { type: "active" };
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return badPlace(problem);
    const openJournal = async () => {
      const made = await this.#store.create({ id: sessionId, ...toHeader(place) });
      if (made.type === "opened") for (const entry of entries) made.journal.append(entry);
      return made;
    };
    return this.#start({ id: sessionId, place, door: door(sessionId), openJournal, entries });
  }

  /** Newest first. With a folder, also what another program left in it, on the first page. */
  async list(query: ListQuery = {}): Promise<SessionPage> {
    const page = await this.#store.list(query);
    if (page.type !== "page" || query.cwd === undefined || query.cursor !== undefined) return page;
    const foreign = (await this.#foreignIn(query.cwd)?.list()) ?? [];
    const others: ListedSession[] = [];
    for (const session of foreign) if (!(await this.#store.exists(session.id))) others.push(session);
    if (others.length === 0) return page;
    const sessions = [...page.sessions, ...others].sort((a, b) => b.updatedAt - a.updatedAt);
    return { ...page, sessions };
  }

  /** Closes what is open here. Whether it was. */
  async closeSession(id: string): Promise<boolean> {
    const session = this.#live.get(id);
    if (session === undefined) return false;
    // A turn that waits for its reader must not be waited for.
    this.#embedded.get(id)?.cancel();
    await session.close();
    this.#live.delete(id);
    this.#embedded.delete(id);
    return true;
  }

  /** Closes and removes; one that is not there is removed already. */
  async delete(id: string): Promise<Fault | undefined> {
    await this.closeSession(id);
    const sessionId = parseSessionId(id);
    return sessionId === undefined ? undefined : this.#store.delete(sessionId);
  }

  async fork(id: string, place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const source = parseSessionId(id);
    if (source === undefined) return { type: "missing" };
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return badPlace(problem);
    const forkId = this.#ids.session();
    const forked = await this.#store.fork(source, { id: forkId, ...toHeader(place) });
    return forked.type === "forked" ? this.open(forkId, place, door) : forked;
  }

  /** Closes every session; none can be started or resumed any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live.keys()].map((id) => this.closeSession(id)));
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.close();

  async #openStored(id: SessionId, wish: Place | Omit<Place, "cwd">, door: (id: SessionId) => Door): Promise<Opened> {
    const named = "cwd" in wish ? wish : undefined;
    const problem = named && (await this.#problemOf(named));
    if (problem !== undefined) return badPlace(problem);
    const stored = await this.#store.open(id);
    if (stored.type === "missing") return named === undefined ? stored : this.#openForeign(id, named, door);
    if (stored.type !== "opened") return stored;
    const entries: EntryBody[] = [];
    for await (const chunk of stored.entries()) {
      for (const entry of chunk) if (entry.type !== "session") entries.push(entry);
    }
    const { journal } = stored;
    let opened: Opened | undefined;
    try {
      const place = named ?? placeOf(journal.header, entries, wish);
      const late = named === undefined ? await this.#problemOf(place) : undefined;
      opened = late === undefined ? await this.#goOn(id, place, door, journal, entries) : badPlace(late);
      return opened;
    } finally {
      // Whoever tries again must not find it in use.
      if (opened?.type !== "opened") journal.close();
    }
  }

  async #goOn(
    id: SessionId,
    place: Place,
    door: (id: SessionId) => Door,
    journal: Journal,
    entries: EntryBody[],
  ): Promise<Opened> {
    try {
      for (const entry of whatIsMissing(journal.header, entries, place)) {
        journal.append(entry);
        entries.push(entry);
      }
    } catch (cause) {
      return { type: "failed", fault: toJournalFault(cause) };
    }
    return this.#start({ id, place, door: door(id), openJournal: async () => ({ type: "opened", journal }), entries });
  }

  /** Kept per folder, since clients list often and files are read once. */
  #foreignIn(cwd: string): ForeignSessions | undefined {
    let foreign = this.#foreign.get(cwd);
    if (foreign === undefined && this.#options.foreign !== undefined) {
      if (this.#foreign.size >= MAX_FOLDERS) this.#foreign.clear();
      foreign = this.#options.foreign(cwd);
      this.#foreign.set(cwd, foreign);
    }
    return foreign;
  }

  async #openForeign(id: SessionId, place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const found = await this.#foreignIn(place.cwd)?.find(id);
    return found === undefined ? { type: "missing" } : this.adopt(id, place, found.entries, door);
  }

  async #start(start: SessionStart): Promise<Opened> {
    const opened = await startSession(start, { options: this.#options, catalogue: this.#catalogue, ids: this.#ids });
    if (opened.type === "opened") this.#live.set(start.id, opened.session);
    return opened;
  }

  #problemOf(place: Place): Promise<string | undefined> {
    return findProblem(place, this.#options.machine?.([place.cwd]));
  }
}

export function createRuntime(options: RuntimeOptions): Runtime {
  return new Runtime(options);
}

function badPlace(problem: string): Opened {
  return { type: "bad-place", problem };
}

function toJournalFault(cause: unknown): Fault {
  return cause instanceof JournalError ? cause.fault : fault("journal", String(cause));
}

function toHeader({ cwd, additionalRoots }: Place) {
  return { cwd, ...(additionalRoots && additionalRoots.length > 0 && { additionalRoots }) };
}
