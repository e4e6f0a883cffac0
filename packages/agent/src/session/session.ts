// One conversation with one working directory: its state, one turn at a time, and what is written down about it.

import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import type { LastingEvent, PassingEvent, TurnOutcome, UsageSnapshot } from "../event/event.ts";
import { fault } from "../fault/fault.ts";
import type { SessionId, TurnId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import type { History } from "../journal/fold.ts";
import { JournalError } from "../journal/journal.ts";
import type { PromptPart, UserMessage } from "../message/message.ts";
import type { Model, ModelInfo } from "../model/model.ts";
import { commandIn, titleFor } from "./asked-command.ts";
import { Choices } from "./choices.ts";
import { type Command, commands } from "./command.ts";
import { Lingering } from "./lingering.ts";
import type { SessionParts } from "./parts.ts";
import type { Responder } from "./responder.ts";
import { toCommand } from "./server-command.ts";
import type { Servers } from "./servers.ts";
import type { TurnTokens } from "./spending.ts";
import { toSnapshot } from "./usage.ts";

export type PromptOutcome = TurnOutcome | { readonly type: "busy" } | { readonly type: "closed" };

interface Turn {
  readonly id: TurnId;
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  /** Fires when whoever asked no longer wants an answer. */
  readonly asked: AbortSignal | undefined;
  over: boolean;
}

export class Session {
  readonly #parts: SessionParts;
  readonly #lingering = new Lingering();
  readonly #choices: Choices;
  #queues = false;
  #turn: Turn | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #servers: Promise<Servers> | undefined;
  #opened: Servers | undefined;
  #loading: Promise<Responder> | undefined;
  #responder: Responder | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#choices = new Choices(parts, {
      write: (body) => this.#write(body),
      tell: (event) => void this.#tell(event),
      onMode: (modeId) => this.#turn && this.#responder?.tellMode(modeId),
      onModel: (model) => this.#useModel(model),
    });
    if (parts.servers.length > 0) this.#servers = this.#openServers();
  }

  get id(): SessionId {
    return this.#parts.id;
  }

  get cwd(): string {
    return this.#parts.cwd;
  }

  get additionalRoots(): readonly string[] {
    return this.#parts.additionalRoots;
  }

  get news(): readonly string[] {
    return this.#parts.news;
  }

  get notices(): readonly string[] {
    return this.#parts.notices;
  }

  get modeId(): string {
    return this.#choices.modeId;
  }

  get model(): Model {
    return this.#choices.model;
  }

  /** What can be chosen from. */
  get models(): readonly ModelInfo[] {
    return this.#parts.catalogue.list();
  }

  get thoughtLevel(): string | undefined {
    return this.#choices.thoughtLevel;
  }

  get queues(): boolean {
    return this.#queues;
  }

  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** What can be called by a slash, the prompts of MCP servers included. */
  get commands(): readonly Pick<Command, "name" | "description" | "hint">[] {
    return [...commands, ...(this.#opened?.prompts() ?? []).map(toCommand)];
  }

  /** Of the model in use. */
  get usage(): UsageSnapshot {
    const { usage } = this.#parts.history;
    return toSnapshot(usage?.usedTokens ?? 0, this.model, usage?.cost);
  }

  /** What the last turn took; nothing before the first. */
  get spent(): TurnTokens | undefined {
    return this.#responder?.spent;
  }

  get history(): History {
    return this.#parts.history;
  }

  /**
   * Runs one turn. Resolves with its outcome, never rejects. A second prompt while one runs is refused as `busy`, and
   * leaves the running turn alone; where the session queues, it waits for its turn instead.
   */
  async prompt(parts: readonly PromptPart[], withdrawn?: AbortSignal): Promise<PromptOutcome> {
    if (this.#closed) return { type: "closed" };
    if (this.#turn === undefined && this.#waiting === 0) {
      const running = this.#runTurn(parts, withdrawn);
      this.#queue = running;
      return running;
    }
    if (!this.#queues) return { type: "busy" };
    this.#waiting++;
    const turn = this.#queue.then((): Promise<PromptOutcome> | PromptOutcome => {
      this.#waiting--;
      if (this.#closed) return { type: "closed" };
      return withdrawn?.aborted ? { type: "cancelled" } : this.#runTurn(parts, withdrawn);
    });
    this.#queue = turn;
    if (withdrawn === undefined) return turn;
    // One that is withdrawn while it waits need not wait to be told so; while it runs, its turn tells.
    const outcome = await orAborted(turn, withdrawn);
    return outcome === ABORTED ? (this.#turn?.asked === withdrawn ? turn : { type: "cancelled" }) : outcome;
  }

  /** Ends the running turn. Silent when there is none. */
  cancel(): void {
    this.#turn?.controller.abort(new Error("the turn was cancelled"));
  }

  setMode(modeId: string): boolean {
    return this.#choices.setMode(modeId);
  }

  /** By `provider/model` or by a bare name; takes effect with the next step. */
  setModel(id: string): boolean {
    return this.#choices.setModel(id);
  }

  setThoughtLevel(level: string): boolean {
    return this.#choices.setThoughtLevel(level);
  }

  #useModel(model: Model): void {
    this.#responder?.forgetCount();
    model.warm?.();
    void this.#tell({ type: "model", modelId: model.info.id });
    void this.#record({ type: "usage", usage: this.usage });
  }

  /** Loads what the first prompt will need, so that it does not wait for that. */
  warm(): void {
    this.model.warm?.();
    this.#load().catch(() => {});
  }

  setQueues(queues: boolean): void {
    this.#queues = queues;
  }

  /** Ends the turn, waits for what it left running, and lets go of the journal. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    this.cancel();
    this.#parts.gate.close();
    const servers = await this.#servers;
    await Promise.all([this.#queue.catch(() => {}), this.#responder?.close(), servers?.close()]);
    await this.#lingering.settled();
    this.#parts.journal.close();
  }

  // ---- one turn ----

  #runTurn(parts: readonly PromptPart[], asked: AbortSignal | undefined): Promise<TurnOutcome> {
    const controller = new AbortController();
    const turn: Turn = { id: this.#parts.ids.turn(), controller, signal: controller.signal, asked, over: false };
    this.#turn = turn;
    const abort = (): void => turn.controller.abort(asked?.reason);
    asked?.addEventListener("abort", abort, { once: true });
    const run = this.#attempt(turn, parts).finally(() => {
      asked?.removeEventListener("abort", abort);
      turn.over = true;
      this.#turn = undefined;
    });
    // Cancelled before it began: it begins, is written down, and ends at once.
    if (asked?.aborted) abort();
    return run;
  }

  async #attempt(turn: Turn, parts: readonly PromptPart[]): Promise<TurnOutcome> {
    const { signal } = turn.controller;
    let outcome: TurnOutcome;
    try {
      const message: UserMessage = { role: "user", id: this.#parts.ids.message(), parts };
      await this.#record({ type: "prompt", turnId: turn.id, message });
      // What a session began with is what it goes on with, whatever the default is by then.
      if (this.#parts.history.modelId === undefined) this.#write({ type: "model", modelId: this.model.info.id });
      const title = titleFor(this.#parts.history, message);
      if (title !== undefined) await this.#record({ type: "title", title });
      const responder = await this.#load();
      await responder.serversReady(signal);
      await orAborted(Promise.all([this.#lingering.settled(), responder.lookAround(message, signal)]), signal);
      outcome = signal.aborted ? { type: "cancelled" } : await this.#respond(turn, message, responder);
    } catch (cause) {
      outcome = signal.aborted ? { type: "cancelled" } : { type: "failed", fault: toFault(cause) };
    }
    try {
      await this.#record({ type: "turn-ended", turnId: turn.id, outcome });
    } catch (cause) {
      if (outcome.type !== "failed" && outcome.type !== "cancelled")
        outcome = { type: "failed", fault: toFault(cause) };
      // It cannot be written down; the person should hear of it all the same.
      if (outcome.type === "failed") await this.#tell({ type: "turn-ended", turnId: turn.id, outcome });
    }
    return outcome;
  }

  async #respond(turn: Turn, message: UserMessage, responder: Responder): Promise<TurnOutcome> {
    const { signal } = turn.controller;
    const asked = commandIn(message);
    if (asked === undefined) return responder.respond(turn);
    const text = await asked.command.run(asked.argument, {
      session: this,
      modelIds: this.models.map(({ id }) => id),
      servers: (await this.#servers)?.reports() ?? [],
      instructionFiles: this.#parts.instructionFiles,
      policy: this.#parts.gate.policy,
      tools: responder.toolSpecs,
      compact: (focus) => responder.fit(signal, { force: true, focus }),
    });
    if (signal.aborted) return { type: "cancelled" };
    const messageId = this.#parts.ids.message();
    this.#write({ type: "text", messageId, text });
    await this.#tell({ type: "text-delta", messageId, text });
    return { type: "ended" };
  }

  /** They connect while the client reads our answer. */
  async #openServers(): Promise<Servers> {
    const { Servers } = await import("./servers.ts");
    const { cwd, additionalRoots, env, gate, door, ids, log, signIn, servers } = this.#parts;
    this.#opened = new Servers(servers, {
      roots: [cwd, ...additionalRoots],
      cwd,
      env,
      gate,
      log,
      model: () => this.model,
      callId: () => ids.call(),
      tell: (event) => void this.#tell(event),
      onChange: () => door.onCommands?.(),
      ...(door.elicit && { elicit: door.elicit.bind(door) }),
      ...(signIn && { signIn }),
    });
    return this.#opened;
  }

  #load(): Promise<Responder> {
    this.#loading ??= Promise.all([import("./responder.ts"), this.#servers]).then(([{ Responder }, servers]) => {
      this.#responder = new Responder({
        parts: this.#parts,
        servers,
        model: () => this.model,
        thoughtLevel: () => this.thoughtLevel,
        modeId: () => this.modeId,
        record: (event) => this.#record(event),
        write: (body) => this.#write(body),
        tell: (event) => this.#tell(event),
        linger: (work) => this.#lingering.add(work),
      });
      return this.#responder;
    });
    return this.#loading;
  }

  // ---- written, then told ----

  #record(event: LastingEvent): Promise<void> | undefined {
    this.#write(event);
    return this.#tell(event);
  }

  #write(body: EntryBody): void {
    this.#parts.journal.append(body);
    this.#parts.history.add(body);
  }

  #tell(event: LastingEvent | PassingEvent): Promise<void> | undefined {
    return this.#parts.door.onEvent(event);
  }
}

function toFault(cause: unknown) {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof JournalError) return fault("journal", message, { cause });
  return fault("internal", `agentao itself failed: ${message}`, { cause });
}
