// One server for as long as the session lasts: connected in the background, connected again when it drops, given up when
// that leads nowhere. Calls wait while it is connecting, and are repeated only if they surely did not reach it.

import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import { backOffMs, WELL_AFTER_MS } from "./back-off.ts";
import { Failure, toFailure } from "./failure.ts";
import { coalesced, later, newLatch } from "./latch.ts";
import type { Link, LinkRequestOptions, LinkRoom, OpenLink } from "./link.ts";
import { listPrompts, listTools } from "./list-offers.ts";
import type { ServerTool } from "./listed.ts";
import type { ServerPrompt } from "./offer.ts";
import type { ServerConfig, ServerState } from "./server.ts";
import { within } from "./within.ts";

export interface ConnectionRoom extends Omit<LinkRoom, "onDrop" | "onToolsChanged" | "onPromptsChanged"> {
  readonly open: OpenLink;
  /** How long to wait before an attempt, counted from 0; nothing when there were enough. */
  readonly backOff?: ((attempt: number) => number | undefined) | undefined;
  /** Where a person can sign in, when that is what is missing. */
  signInPage?: (() => string | undefined) | undefined;
  /** State, tools or prompts are others than before. */
  onChange(): void;
  /** It is given up. Once per failure. */
  onFailed(why: string): void;
  /** Some of its tools cannot be used. Once per tool. */
  onUnusable?(names: readonly string[]): void;
}

export type RequestOptions = Pick<LinkRequestOptions, "signal" | "onProgress">;
type Params = Readonly<Record<string, unknown>>;

/** How one connection ended. Without `livedMs` it never was there. */
interface Ended {
  readonly failure: Failure;
  readonly livedMs?: number;
}

const NONE: readonly never[] = [];

export class Connection {
  readonly config: ServerConfig;
  /** Resolves when it is first connected, or given up, or closed. */
  readonly started: Promise<void>;
  readonly #room: ConnectionRoom;
  readonly #closed = new AbortController();
  #state: ServerState = { type: "connecting" };
  #lastError: string | undefined;
  #tools: readonly ServerTool[] = NONE;
  #prompts: readonly ServerPrompt[] = NONE;
  /** Of tools that were told of. */
  readonly #unusable = new Set<string>();
  #link: Link | undefined;
  #drop: (why: string) => void = () => {};
  #hurry: () => void = () => {};
  /** Opened at each change of state, for those who wait for one. */
  #changed = newLatch();
  #life: Promise<void>;

  constructor(config: ServerConfig, room: ConnectionRoom) {
    this.config = config;
    this.#room = room;
    this.#life = later().then(() => this.#live());
    this.started = this.#untilSettled(this.#closed.signal);
  }

  get state(): ServerState {
    return this.#state;
  }

  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** The same array while nothing changed. Kept while it is connected again. */
  get tools(): readonly ServerTool[] {
    return this.#tools;
  }

  get prompts(): readonly ServerPrompt[] {
    return this.#prompts;
  }

  /** Rejects with a `Failure`. */
  async request(method: string, params: Params, options: RequestOptions): Promise<unknown> {
    const { requestMs: timeoutMs } = this.config;
    for (let attempt = 0; ; attempt++) {
      const link = await this.#ready(options.signal);
      try {
        return await link.request(method, params, { ...options, timeoutMs });
      } catch (error) {
        const failure = toFailure(error);
        if (failure.kind === "unsent" || failure.kind === "dropped") await this.#leave(link, failure.message);
        if (failure.kind !== "unsent" || attempt > 0) throw failure;
      }
    }
  }

  /** Tries anew where it was given up. */
  restart(): void {
    if (this.#state.type !== "failed" && this.#state.type !== "needs-sign-in") return;
    this.#change({ type: "connecting" });
    this.#life = this.#life.then(() => this.#live());
  }

  /** Resolves when nothing is left of it. */
  async close(): Promise<void> {
    if (!this.#closed.signal.aborted) {
      this.#closed.abort();
      this.#tools = this.#prompts = NONE;
      this.#change({ type: "closed" });
    }
    await this.#life;
  }

  // ---- its life ----

  /** From a first attempt to giving up or being closed. */
  async #live(): Promise<void> {
    let attempt = 0;
    let wasThere = false;
    while (!this.#closed.signal.aborted) {
      const { failure, livedMs } = await this.#connectOnce();
      if (this.#closed.signal.aborted) return;
      wasThere ||= livedMs !== undefined;
      if ((livedMs ?? 0) >= WELL_AFTER_MS) attempt = 0;
      const pauseMs = (this.#room.backOff ?? backOffMs)(attempt);
      if (!wasThere || failure.kind === "auth" || pauseMs === undefined) return this.#giveUp(failure);
      this.#lastError = failure.message;
      this.#room.log(`connecting again: ${failure.message}`);
      this.#change({ type: "connecting" });
      await this.#pause(pauseMs, attempt === 0 ? "until it is called" : "in full");
      attempt++;
    }
  }

  async #connectOnce(): Promise<Ended> {
    const dropped = newLatch<string>();
    const relist = {
      tools: coalesced(() => this.#listAgain("tools")),
      prompts: coalesced(() => this.#listAgain("prompts")),
    };
    let link: Link | undefined;
    try {
      await this.#withinStart(async (signal) => {
        link = await this.#room.open(
          this.config,
          {
            ...this.#room,
            onDrop: dropped.open,
            onToolsChanged: relist.tools,
            onPromptsChanged: relist.prompts,
          },
          signal,
        );
        await this.#list(link, signal);
      });
    } catch (error) {
      await link?.close();
      return { failure: toFailure(error) };
    }
    const since = performance.now();
    this.#link = link;
    this.#drop = dropped.open;
    this.#change({ type: "connected" });
    const why = await orAborted(dropped.opened, this.#closed.signal);
    this.#link = undefined;
    await link?.close();
    const failure = new Failure("dropped", why === ABORTED ? "it was closed" : why);
    return { failure, livedMs: performance.now() - since };
  }

  #giveUp(failure: Failure): void {
    const page = failure.kind === "auth" ? this.#room.signInPage?.() : undefined;
    this.#tools = this.#prompts = NONE;
    this.#lastError = failure.message;
    this.#change(page === undefined ? { type: "failed", why: failure.message } : { type: "needs-sign-in", url: page });
    this.#room.onFailed(page === undefined ? failure.message : `sign in to it first: ${page}`);
  }

  #change(state: ServerState): void {
    if (this.#state.type === "closed") return;
    this.#state = state;
    this.#changed.open();
    this.#changed = newLatch();
    this.#room.onChange();
  }

  /** Somebody who calls need not wait for the first attempt. */
  async #pause(ms: number, how: "until it is called" | "in full"): Promise<void> {
    const over = newLatch();
    const timer = setTimeout(over.open, ms);
    if (how === "until it is called") this.#hurry = over.open;
    await orAborted(over.opened, this.#closed.signal);
    clearTimeout(timer);
    this.#hurry = () => {};
  }

  // ---- what it offers ----

  async #list(link: Link, signal: AbortSignal): Promise<void> {
    const { offers } = link;
    [this.#tools, this.#prompts] = await Promise.all([
      offers.tools ? this.#readTools(link, signal) : NONE,
      // Without its prompts a server is still a server.
      offers.prompts ? listPrompts(link, this.config.name, signal).catch(() => NONE) : NONE,
    ]);
  }

  /** It said that its list is another one; while it is still being connected, that may have been read already or not. */
  async #listAgain(what: "tools" | "prompts"): Promise<void> {
    await this.#untilSettled(this.#closed.signal);
    const link = this.#link;
    if (link === undefined) return;
    try {
      await this.#withinStart(async (signal) => {
        if (what === "tools") this.#tools = await this.#readTools(link, signal);
        else this.#prompts = await listPrompts(link, this.config.name, signal);
      });
      if (this.#link === link) this.#room.onChange();
    } catch (error) {
      if (this.#link === link) this.#room.log(`its ${what} cannot be listed again: ${toFailure(error).message}`);
    }
  }

  async #readTools(link: Link, signal: AbortSignal): Promise<readonly ServerTool[]> {
    const { tools, tooDeep, cutAfter } = await listTools(link, signal);
    if (cutAfter !== undefined) {
      this.#room.log(`it has more tools than can be used: only the first ${cutAfter} are there`);
    }
    const names = tooDeep.filter((name) => !this.#unusable.has(name));
    for (const name of names) this.#unusable.add(name);
    if (names.length > 0) this.#room.onUnusable?.(names);
    return tools;
  }

  // ---- waiting ----

  /** The connection, as soon as it is there; no later than a start may take. */
  async #ready(signal: AbortSignal): Promise<Link> {
    if (this.#link !== undefined && !signal.aborted) return this.#link;
    this.#hurry();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.config.startMs);
    await this.#untilSettled(AbortSignal.any([signal, late.signal, this.#closed.signal]));
    clearTimeout(timer);
    if (signal.aborted) throw new Failure("cancelled", "the call was cancelled");
    if (this.#link !== undefined) return this.#link;
    const because = this.#lastError === undefined ? "" : ` (${this.#lastError})`;
    throw new Failure("dropped", `the server is not connected${because}`);
  }

  async #untilSettled(given: AbortSignal): Promise<void> {
    while (this.#state.type === "connecting" && !given.aborted) await orAborted(this.#changed.opened, given);
  }

  /** This connection is of no use any more; resolves when it is no longer the one that is used. */
  async #leave(link: Link, why: string): Promise<void> {
    if (this.#link !== link) return;
    this.#drop(why);
    while (this.#link === link || this.#state.type === "connected") {
      if (this.#closed.signal.aborted) return;
      await orAborted(this.#changed.opened, this.#closed.signal);
    }
  }

  /** Bounded by the time a server has to start, and ended by our own end. */
  #withinStart(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return within(this.config.startMs, work, this.#closed.signal);
  }
}
