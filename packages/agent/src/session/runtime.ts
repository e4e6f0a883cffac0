// All sessions of one runtime. An embedder hands in everything it needs: nothing is discovered here.

import type { Config } from "../config/config.ts";
import { isAbsolutePath } from "../config/path.ts";
import { toSandboxPolicy } from "../config/sandbox.ts";
import { type Fault, fault } from "../fault/fault.ts";
import { type Ids, parseSessionId, randomIds, type SessionId } from "../id/id.ts";
import type { ListedSession } from "../journal/digest.ts";
import type { EntryBody, Header } from "../journal/entry.ts";
import { History } from "../journal/fold.ts";
import { type Journal, JournalError } from "../journal/journal.ts";
import type { ListQuery } from "../journal/page.ts";
import type { SessionPage, Store } from "../journal/store.ts";
import type { Machine } from "../machine/machine.ts";
import type { SessionSandbox } from "../machine/sandbox-policy.ts";
import type { SignIn, SignInHooks } from "../mcp/connect.ts";
import type { ServerConfig } from "../mcp/server.ts";
import type { Model, ModelCatalogue } from "../model/model.ts";
import { createGate } from "../permission/gate.ts";
import type { AnyTool } from "../tool/tool.ts";
import { RETRY_POLICY, type RetryPolicy } from "../turn/back-off.ts";
import type { Door } from "./door.ts";
import { Session } from "./session.ts";

export interface RuntimeOptions {
  readonly store: Store;
  readonly catalogue: ModelCatalogue;
  /** Where the tools of a session act. */
  machine(roots: readonly string[]): Machine;
  /** What belongs to a working directory: environment, instructions, rules. Asked once per session. */
  config?(cwd: string, additionalRoots: readonly string[]): Promise<Config>;
  /** The model of new sessions; the first of the catalogue where none is named, or it is not known. */
  readonly model?: string | undefined;
  /** Sessions that another program left in a folder; opened, they go on as ours. */
  foreign?(cwd: string): ForeignSessions;
  /** What the person should know in every session. */
  readonly notices?: readonly string[] | undefined;
  /** The MCP servers of a working directory, beside those a client brings. Asked once per session. */
  servers?(cwd: string): Promise<ConfiguredServers>;
  /** How MCP servers that want it are signed in to. */
  signIn?(config: ServerConfig, hooks: SignInHooks): Promise<SignIn | undefined>;
  /** Hears what is worth a line in a log, without secrets. Must not throw. */
  log?(message: string): void;
  /** Beside, or by name instead of, the built-in ones. */
  readonly tools?: readonly AnyTool[] | undefined;
  readonly maxSteps?: number | undefined;
  /** How requests to a model are made again when they fail. */
  readonly retry?: RetryPolicy | undefined;
  /** What kind of machine the model should expect: its system, its shell. */
  readonly platform?: string | undefined;
  readonly ids?: Ids | undefined;
  readonly now?: (() => number) | undefined;
}

export interface ConfiguredServers {
  readonly servers: readonly ServerConfig[];
  /** What the person should look into. */
  readonly notices: readonly string[];
}

export interface ForeignSessions {
  list(): Promise<readonly ListedSession[]>;
  find(id: SessionId): Promise<{ readonly entries: readonly EntryBody[] } | undefined>;
}

export interface Place {
  readonly cwd: string;
  readonly additionalRoots?: readonly string[] | undefined;
  /** MCP servers the client brings along. */
  readonly servers?: readonly ServerConfig[] | undefined;
}

export type Opened =
  | { readonly type: "opened"; readonly session: Session; replay(): AsyncIterable<readonly EntryBody[]> }
  | { readonly type: "missing" }
  /** It is open in this runtime already. */
  | { readonly type: "active" }
  /** The place cannot be worked in. */
  | { readonly type: "bad-place"; readonly problem: string }
  | { readonly type: "failed"; readonly fault: Fault };

const MAX_STEPS = 100;
/** The share of the window that is used before older turns are summed up. */
const COMPACT_AT = 0.8;
const MAX_FOLDERS = 64;

export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #ids: Ids;
  readonly #live = new Map<string, Session>();
  readonly #foreign = new Map<string, ForeignSessions>();
  readonly #opening = new Set<string>();

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#ids = options.ids ?? randomIds();
  }

  /** A session that is open here. */
  live(id: string): Session | undefined {
    return this.#live.get(id);
  }

  async create(place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return { type: "bad-place", problem };
    const id = this.#ids.session();
    return this.#start(id, place, door(id), () => this.#options.store.create({ id, ...toHeader(place) }), []);
  }

  /** Opens a stored session. Without a place it goes on where it was. */
  async open(id: string, place: Place, door: (id: SessionId) => Door): Promise<Opened> {
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
      const made = await this.#options.store.create({ id: sessionId, ...toHeader(place) });
      if (made.type === "opened") for (const entry of entries) made.journal.append(entry);
      return made;
    };
    return this.#start(sessionId, place, door(sessionId), make, entries);
  }

  /** Newest first. With a folder, also what another program left in it, on the first page. */
  async list(query: ListQuery): Promise<SessionPage> {
    const page = await this.#options.store.list(query);
    if (page.type !== "page" || query.cwd === undefined || query.cursor !== undefined) return page;
    const foreign = (await this.#foreignIn(query.cwd)?.list()) ?? [];
    const others: ListedSession[] = [];
    for (const session of foreign) if (!(await this.#options.store.exists(session.id))) others.push(session);
    if (others.length === 0) return page;
    const sessions = [...page.sessions, ...others].sort((a, b) => b.updatedAt - a.updatedAt);
    return { ...page, sessions };
  }

  /** Closes what is open here. Whether it was. */
  async closeSession(id: string): Promise<boolean> {
    const session = this.#live.get(id);
    if (session === undefined) return false;
    await session.close();
    this.#live.delete(id);
    return true;
  }

  /** Closes and removes; one that is not there is removed already. */
  async delete(id: string): Promise<Fault | undefined> {
    await this.closeSession(id);
    const sessionId = parseSessionId(id);
    return sessionId === undefined ? undefined : this.#options.store.delete(sessionId);
  }

  async fork(id: string, place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const source = parseSessionId(id);
    if (source === undefined) return { type: "missing" };
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return { type: "bad-place", problem };
    const forkId = this.#ids.session();
    const forked = await this.#options.store.fork(source, { id: forkId, ...toHeader(place) });
    return forked.type === "forked" ? this.open(forkId, place, door) : forked;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.keys()].map((id) => this.closeSession(id)));
  }

  // ---- starting ----

  async #openStored(id: SessionId, place: Place, door: (id: SessionId) => Door): Promise<Opened> {
    const problem = await this.#problemOf(place);
    if (problem !== undefined) return { type: "bad-place", problem };
    const stored = await this.#options.store.open(id);
    if (stored.type === "missing") return this.#openForeign(id, place, door);
    if (stored.type !== "opened") return stored;
    const entries: EntryBody[] = [];
    for await (const chunk of stored.entries()) {
      for (const entry of chunk) if (entry.type !== "session") entries.push(entry);
    }
    const { journal } = stored;
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
    const catalogue = config.catalogue ?? this.#options.catalogue;
    const model = this.#modelOf(history, config, catalogue);
    if (model === undefined) return { type: "failed", fault: fault("auth", "There is no model to talk to.") };
    const sandbox = await sandboxFor(config, [cwd, ...additionalRoots]);
    const made = await journalOf();
    if (made.type !== "opened") return made;

    const roots = [cwd, ...additionalRoots];
    const local = this.#options.machine(roots);
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
    const machine = this.#options.machine([cwd]);
    for (const [name, path] of [
      ["cwd", cwd],
      ...additionalRoots.map((root) => ["additionalDirectories", root]),
    ] as const) {
      if (path === "") return `${name} must not be empty`;
      if (!isAbsolutePath(path ?? "")) return `${name} must be an absolute path, got '${path}'`;
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

/** What a process that died could not write any more, and where the session goes on now. */
function whatIsMissing(header: Header, entries: readonly EntryBody[], place: Place): EntryBody[] {
  const history = new History();
  let at: Place = header;
  for (const entry of entries) {
    history.add(entry);
    if (entry.type === "roots") at = entry;
  }
  const missing: EntryBody[] = [];
  for (const { callId, running } of history.openTurn?.calls ?? []) {
    const told = running
      ? "The process was interrupted while this ran; it may or may not have had its effect. Check before doing it again."
      : "Not run: the turn was interrupted.";
    missing.push({ type: "call-ended", callId, failed: true, told: [{ type: "text", text: told }] });
  }
  if (history.openTurn !== undefined) missing.push({ type: "interrupted" });
  const { cwd, additionalRoots = [] } = place;
  if (cwd !== at.cwd || additionalRoots.join("\n") !== (at.additionalRoots ?? []).join("\n")) {
    missing.push({ type: "roots", cwd, ...(additionalRoots.length > 0 && { additionalRoots }) });
  }
  return missing;
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

const CHUNK = 256;

async function* inChunks(entries: readonly EntryBody[]): AsyncGenerator<readonly EntryBody[]> {
  for (let at = 0; at < entries.length; at += CHUNK) {
    yield entries.slice(at, at + CHUNK);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
