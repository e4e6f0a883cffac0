// All sessions of one runtime. An embedder hands in everything it needs: nothing is discovered here.

import type { Config } from "../config/config.ts";
import { isAbsolutePath } from "../config/path.ts";
import { toSandboxPolicy } from "../config/sandbox.ts";
import { type Fault, fault } from "../fault/fault.ts";
import { type Ids, parseSessionId, randomIds, type SessionId } from "../id/id.ts";
import type { ListedSession } from "../journal/digest.ts";
import type { EntryBody } from "../journal/entry.ts";
import { History } from "../journal/fold.ts";
import { type Journal, JournalError } from "../journal/journal.ts";
import { memoryStore } from "../journal/memory-store.ts";
import type { ListQuery } from "../journal/page.ts";
import type { SessionPage, Store } from "../journal/store.ts";
import { noMachine } from "../machine/no-machine.ts";
import type { SessionSandbox } from "../machine/sandbox-policy.ts";
import type { ServerConfig } from "../mcp/server.ts";
import { createCatalogue } from "../model/catalogue.ts";
import type { Model, ModelCatalogue } from "../model/model.ts";
import { createGate } from "../permission/gate.ts";
import { RETRY_POLICY } from "../turn/back-off.ts";
import type { Door } from "./door.ts";
import type { EmbeddedSession, SessionOptions } from "./embedded-session.ts";
import { inChunks, type Opened } from "./opened.ts";
import type { ForeignSessions, Place, RuntimeOptions } from "./runtime-options.ts";
import { Session } from "./session.ts";
import { SessionError } from "./session-error.ts";
import { placeOf, whatIsMissing } from "./what-is-missing.ts";

export type { Opened, Place };

const MAX_STEPS = 100;
/** The share of the window that is used before older turns are summed up. */
const COMPACT_AT = 0.8;
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
    const place = cwd === undefined ? { servers: options.servers } : { ...rest, cwd };
    return this.#embed((door) => this.open(id, place, () => door), options);
  }

  async #embed(open: (door: Door) => Promise<Opened>, options: SessionOptions): Promise<EmbeddedSession> {
    const { openEmbedded } = await import("./embedded-session.ts");
    if (this.#isClosed) throw new SessionError("closed", "The runtime is closed.");
    const { askPermission, askPerson, elicit } = this.#options;
    const embedded = await openEmbedded(open, { askPermission, askPerson, elicit, ...options }, (id) =>
      this.closeSession(id),
    );
    this.#embedded.set(embedded.id, embedded);
    if (!this.#isClosed) return embedded;
    await embedded.close();
    throw new SessionError("closed", "The runtime was closed meanwhile.");
  }

  // ---- for doors: sessions that tell whoever they are given ----

  /** A session that is open here. */
  live(id: string): Session | undefined {
    return this.#live.get(id);
  }

  async create(place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return { type: "bad-place", problem };
    const id = this.#ids.session();
    return this.#start(id, place, door(id), () => this.#store.create({ id, ...toHeader(place) }), []);
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
    if (problem !== undefined) return { type: "bad-place", problem };
    const make = async () => {
      const made = await this.#store.create({ id: sessionId, ...toHeader(place) });
      if (made.type === "opened") for (const entry of entries) made.journal.append(entry);
      return made;
    };
    return this.#start(sessionId, place, door(sessionId), make, entries);
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
    if (problem !== undefined) return { type: "bad-place", problem };
    const forkId = this.#ids.session();
    const forked = await this.#store.fork(source, { id: forkId, ...toHeader(place) });
    return forked.type === "forked" ? this.open(forkId, place, door) : forked;
  }

  /** Closes every session; none can be started or resumed any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live.keys()].map((id) => this.closeSession(id)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  // ---- starting ----

  async #openStored(id: SessionId, wish: Place | Omit<Place, "cwd">, door: (id: SessionId) => Door): Promise<Opened> {
    const named = "cwd" in wish ? wish : undefined;
    const early = named && (await this.#problemOf(named));
    if (early !== undefined) return { type: "bad-place", problem: early };
    const stored = await this.#store.open(id);
    if (stored.type === "missing") return named === undefined ? stored : this.#openForeign(id, named, door);
    if (stored.type !== "opened") return stored;
    const entries: EntryBody[] = [];
    for await (const chunk of stored.entries()) {
      for (const entry of chunk) if (entry.type !== "session") entries.push(entry);
    }
    const { journal } = stored;
    const place = named ?? { ...placeOf(journal.header, entries), servers: wish.servers };
    const late = named === undefined ? await this.#problemOf(place) : undefined;
    if (late !== undefined) {
      journal.close();
      return { type: "bad-place", problem: late };
    }
    try {
      for (const entry of whatIsMissing(journal.header, entries, place)) {
        journal.append(entry);
        entries.push(entry);
      }
    } catch (cause) {
      journal.close();
      return { type: "failed", fault: toJournalFault(cause) };
    }
    return this.#start(id, place, door(id), async () => ({ type: "opened", journal }), entries);
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

  async #start(
    id: SessionId,
    { cwd, additionalRoots = [], servers = [] }: Place,
    door: Door,
    journalOf: () => Promise<{ type: "opened"; journal: Journal } | { type: "failed"; fault: Fault }>,
    entries: readonly EntryBody[],
  ): Promise<Opened> {
    const { now = Date.now, maxSteps = MAX_STEPS, retry = RETRY_POLICY, platform = "" } = this.#options;
    const history = new History();
    for (const entry of entries) history.add(entry);
    const [config = { env: {} } as Config, configured] = await Promise.all([
      this.#options.config?.(cwd, additionalRoots),
      this.#options.servers?.(cwd),
    ]);
    const catalogue = config.catalogue ?? this.#catalogue;
    const model = this.#modelOf(history, config, catalogue);
    if (model === undefined) return { type: "failed", fault: fault("auth", "There is no model to talk to.") };
    const sandbox = await sandboxFor(config, [cwd, ...additionalRoots]);
    const made = await journalOf();
    if (made.type !== "opened") return made;

    const roots = [cwd, ...additionalRoots];
    const local = this.#options.machine?.(roots) ?? noMachine();
    const gate = createGate({
      mode: history.modeId ?? config.mode,
      rules: config.rules,
      problems: config.problems,
      roots,
      ask: door.askPermission,
    });
    const session = new Session({
      id,
      cwd,
      additionalRoots,
      env: config.env,
      platform,
      instructions: config.instructions,
      branch: config.branch,
      news: config.news ?? [],
      notices: [
        ...(this.#options.notices ?? []),
        ...(config.notices ?? []),
        ...(configured?.notices ?? []),
        ...missed(history.modelId, model),
        ...unconfined(sandbox),
      ],
      journal: made.journal,
      history,
      door,
      machine: door.machine?.(local) ?? local,
      ...(sandbox && { sandbox }),
      ...(config.search && { search: config.search }),
      gate,
      servers: mergeServers(servers, configured?.servers ?? []),
      ...(this.#options.signIn && { signIn: this.#options.signIn }),
      log: this.#options.log ?? (() => {}),
      tools: this.#options.tools ?? [],
      builtinTools: this.#options.builtinTools ?? (this.#options.machine === undefined ? [] : undefined),
      system: this.#options.system,
      catalogue,
      model,
      ids: this.#ids,
      now,
      maxSteps,
      retry,
      compactAt: config.compactAt ?? COMPACT_AT,
    });
    this.#live.set(id, session);
    return { type: "opened", session, replay: () => inChunks(entries) };
  }

  #modelOf(history: History, config: Config, catalogue: ModelCatalogue): Model | undefined {
    const wishes = [history.modelId, config.model, this.#options.model, catalogue.list()[0]?.id];
    for (const wish of wishes) {
      const found = wish === undefined ? undefined : catalogue.find(wish);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #problemOf({ cwd, additionalRoots = [] }: Place): Promise<string | undefined> {
    const machine = this.#options.machine?.([cwd]);
    for (const [name, path] of [
      ["cwd", cwd],
      ...additionalRoots.map((root) => ["additionalDirectories", root]),
    ] as const) {
      if (path === "") return `${name} must not be empty`;
      if (!isAbsolutePath(path ?? "")) return `${name} must be an absolute path, got '${path}'`;
      if (machine === undefined) continue;
      const stat = await machine.stat(path ?? "", new AbortController().signal);
      if (stat === undefined) return `${name} does not exist: '${path}'`;
      if (stat.type !== "folder") return `${name} is not a directory: '${path}'`;
    }
    return undefined;
  }
}

/** Hands over everything it needs; nothing is read from this process. */
export function createRuntime(options: RuntimeOptions): Runtime {
  return new Runtime(options);
}

/** A session goes on with another model when its own cannot be had any more. */
function missed(wished: string | undefined, { info }: Model): string[] {
  if (wished === undefined || wished === info.id) return [];
  return [`This session's model ${wished} is not available here; it goes on with ${info.id}.`];
}

/** What commands are confined by; looked for only where somebody wants it. */
async function sandboxFor({ sandbox, env }: Config, roots: readonly string[]): Promise<SessionSandbox | undefined> {
  if (sandbox === undefined) return undefined;
  const { probeSandbox } = await import("../machine/sandbox-probe.ts");
  const probe = await probeSandbox();
  if (!probe.available) return { type: "unavailable", why: probe.why };
  return { type: "active", isAsked: sandbox.isAsked, policy: toSandboxPolicy(sandbox, roots, { home: env.HOME }) };
}

function unconfined(sandbox: SessionSandbox | undefined): string[] {
  if (sandbox?.type !== "unavailable") return [];
  return [
    `Commands are not sandboxed, though the settings ask for it: ${sandbox.why}. Each one is asked about as without a sandbox.`,
  ];
}

/** What the client brings counts more than what is configured. */
function mergeServers(own: readonly ServerConfig[], others: readonly ServerConfig[]): ServerConfig[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !names.has(name))];
}

function toJournalFault(cause: unknown): Fault {
  return cause instanceof JournalError ? cause.fault : fault("journal", String(cause));
}

function toHeader({ cwd, additionalRoots }: Place) {
  return { cwd, ...(additionalRoots && additionalRoots.length > 0 && { additionalRoots }) };
}
