// One conversation with one working directory: its state, one turn at a time, and what is written down about it.

import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import { ReadMessages } from "../context/read-messages.ts";
import { buildRequest } from "../context/request.ts";
import type { LastingEvent, PassingEvent, TurnOutcome, UsageSnapshot } from "../event/event.ts";
import { fault } from "../fault/fault.ts";
import type { Ids, SessionId, TurnId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import type { History } from "../journal/fold.ts";
import { type Journal, JournalError } from "../journal/journal.ts";
import { toTitle } from "../journal/title.ts";
import type { Machine } from "../machine/machine.ts";
import type { PromptPart, UserMessage } from "../message/message.ts";
import type { Model, ModelCatalogue, Usage } from "../model/model.ts";
import type { Gate } from "../permission/gate.ts";
import { isMode } from "../permission/mode.ts";
import type { Toolset } from "../tool/registry.ts";
import { createSeenFiles } from "../tool/seen-files.ts";
import type { ToolRoom } from "../tool/tool.ts";
import type { TurnRoom } from "../turn/room.ts";
import { runTurn } from "../turn/run-turn.ts";
import { type CommandSession, findCommand } from "./command.ts";
import type { Door } from "./door.ts";

/** How long the next turn waits for what a cancelled one left running. */
const LINGER_MS = 5_000;

export interface SessionParts {
  readonly id: SessionId;
  readonly cwd: string;
  readonly additionalRoots: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly instructions?: string | undefined;
  /** What the person should know from the start. */
  readonly notices: readonly string[];
  readonly journal: Journal;
  readonly history: History;
  readonly door: Door;
  readonly machine: Machine;
  readonly gate: Gate;
  readonly toolset: Toolset;
  readonly catalogue: ModelCatalogue;
  readonly model: Model;
  readonly ids: Ids;
  readonly now: () => number;
  readonly maxSteps: number;
}

export type PromptOutcome = TurnOutcome | { readonly type: "busy" } | { readonly type: "closed" };

interface Turn {
  readonly id: TurnId;
  readonly controller: AbortController;
  /** Fires when whoever asked no longer wants an answer. */
  readonly asked: AbortSignal | undefined;
  over: boolean;
}

export class Session {
  readonly #parts: SessionParts;
  readonly #seen = createSeenFiles();
  readonly #read = new ReadMessages();
  readonly #usedCallIds: Set<string>;
  readonly #lingering = new Set<Promise<unknown>>();
  #model: Model;
  #thoughtLevel: string | undefined;
  #queues = false;
  #turn: Turn | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #cost = 0;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#model = parts.model;
    this.#thoughtLevel = parts.history.thoughtLevel;
    this.#usedCallIds = new Set(parts.history.callIds);
    this.#cost = parts.history.usage?.cost ?? 0;
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

  get notices(): readonly string[] {
    return this.#parts.notices;
  }

  get modeId(): string {
    return this.#parts.gate.mode;
  }

  get model(): Model {
    return this.#model;
  }

  get thoughtLevel(): string | undefined {
    return this.#thoughtLevel;
  }

  get queues(): boolean {
    return this.#queues;
  }

  get isBusy(): boolean {
    return this.#turn !== undefined;
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
    if (!isMode(modeId)) return false;
    if (modeId === this.modeId) return true;
    this.#write({ type: "mode", modeId });
    this.#parts.gate.setMode(modeId);
    void this.#tell({ type: "mode", modeId });
    return true;
  }

  /** By `provider/model` or by a bare name; takes effect with the next step. */
  setModel(id: string): boolean {
    const model = this.#parts.catalogue.find(id, this.#model.info.id);
    if (model === undefined) return false;
    if (model.info.id === this.#model.info.id) return true;
    this.#write({ type: "model", modelId: model.info.id });
    this.#model = model;
    if (this.#thoughtLevel !== undefined && !model.info.thoughtLevels.includes(this.#thoughtLevel)) {
      this.#thoughtLevel = undefined;
    }
    void this.#tell({ type: "model", modelId: model.info.id });
    return true;
  }

  setThoughtLevel(level: string): boolean {
    if (!this.#model.info.thoughtLevels.includes(level)) return false;
    this.#write({ type: "thought-level", level });
    this.#thoughtLevel = level;
    void this.#tell({ type: "thought-level", level });
    return true;
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
    await this.#queue.catch(() => {});
    await this.#settle();
    this.#parts.journal.close();
  }

  // ---- one turn ----

  #runTurn(parts: readonly PromptPart[], asked: AbortSignal | undefined): Promise<TurnOutcome> {
    const turn: Turn = { id: this.#parts.ids.turn(), controller: new AbortController(), asked, over: false };
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
      await this.#nameAfter(message);
      await orAborted(this.#settle(), signal);
      outcome = signal.aborted ? { type: "cancelled" } : await this.#respond(turn, message);
    } catch (cause) {
      outcome = signal.aborted ? { type: "cancelled" } : { type: "failed", fault: toFault(cause) };
    }
    try {
      await this.#record({ type: "turn-ended", turnId: turn.id, outcome });
    } catch (cause) {
      if (outcome.type !== "failed" && outcome.type !== "cancelled") return { type: "failed", fault: toFault(cause) };
    }
    return outcome;
  }

  async #respond(turn: Turn, message: UserMessage): Promise<TurnOutcome> {
    const asked = commandIn(message);
    if (asked === undefined) return runTurn(this.#room(turn), this.#usedCallIds, turn.controller.signal);
    const text = asked.command.run(asked.argument, this.#commandSession());
    const messageId = this.#parts.ids.message();
    this.#write({ type: "text", messageId, text });
    await this.#tell({ type: "text-delta", messageId, text });
    return { type: "ended" };
  }

  #commandSession(): CommandSession {
    return { session: this, modelIds: this.#parts.catalogue.list().map(({ id }) => id) };
  }

  #room(turn: Turn): TurnRoom {
    const { ids, maxSteps, now, toolset, gate } = this.#parts;
    return {
      turnId: turn.id,
      ids,
      maxSteps,
      now,
      toolset,
      gate,
      model: () => this.#model,
      request: () => this.#request(),
      tools: this.#toolRoom(turn),
      record: (event) => (turn.over ? undefined : this.#record(event)),
      keep: (event) => this.#write(event),
      tell: (event) => (turn.over ? undefined : this.#tell(event)),
      decided: (callId, verdict) => {
        const { type, by, because } = verdict;
        this.#write({ type: "decision", callId, allowed: type === "allowed", by, because });
      },
      used: (usage) => this.#used(usage),
      linger: (work) => this.#linger(work),
    };
  }

  #toolRoom(turn: Turn): Omit<ToolRoom, "show"> {
    const { cwd, additionalRoots, env, machine, door } = this.#parts;
    return {
      machine,
      cwd,
      roots: [cwd, ...additionalRoots],
      env,
      seen: this.#seen,
      setPlan: (entries) => {
        const unchanged = JSON.stringify(entries) === JSON.stringify(this.#parts.history.plan);
        if (!turn.over && !unchanged) void this.#record({ type: "plan", entries });
      },
      askPerson: (question, signal) => door.askPerson(question, signal),
    };
  }

  #request() {
    const { cwd, additionalRoots, instructions, history, toolset, now } = this.#parts;
    return buildRequest({
      cwd,
      roots: [cwd, ...additionalRoots],
      instructions,
      modeId: this.modeId,
      thoughtLevel: this.#thoughtLevel,
      messages: this.#read.of(history.messages),
      plan: history.plan,
      tools: toolset.specs(),
      today: new Date(now()),
    });
  }

  /** A session is called after its first prompt. */
  #nameAfter(message: UserMessage): Promise<void> | undefined {
    if (this.#parts.history.title !== undefined || commandIn(message) !== undefined) return undefined;
    // An imported session has earlier prompts, and no name yet.
    const first = this.#parts.history.messages.find(({ role }) => role === "user");
    const title = toTitle(first?.role === "user" ? first : message);
    if (title === undefined || title === "") return undefined;
    return this.#record({ type: "title", title });
  }

  #used(usage: Usage): Promise<void> | undefined {
    this.#cost += usage.cost ?? 0;
    const snapshot: UsageSnapshot = {
      usedTokens: usage.inputTokens + usage.outputTokens,
      windowTokens: this.#model.info.windowTokens,
      ...(this.#cost > 0 && { cost: this.#cost }),
    };
    return this.#record({ type: "usage", usage: snapshot });
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

  #linger(work: Promise<unknown>): void {
    const settled = work.catch(() => {}).finally(() => this.#lingering.delete(settled));
    this.#lingering.add(settled);
  }

  async #settle(): Promise<void> {
    if (this.#lingering.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, LINGER_MS);
    });
    await Promise.race([Promise.all(this.#lingering), late]);
    clearTimeout(timer);
  }
}

function commandIn({ parts }: UserMessage) {
  const [only, ...others] = parts;
  return only?.type === "text" && others.length === 0 ? findCommand(only.text) : undefined;
}

function toFault(cause: unknown) {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof JournalError) return fault("journal", message, { cause });
  return fault("internal", `agentao itself failed: ${message}`, { cause });
}
