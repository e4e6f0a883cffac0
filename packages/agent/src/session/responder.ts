// Answers the prompts of a session: what the model sees, the loop, its tools, and what it leaves running. Loaded when the
// first prompt is near, since opening a session needs none of it.

import { type Facts, tellFacts } from "../context/facts.ts";
import { ReadMessages } from "../context/read-messages.ts";
import { buildRequest } from "../context/request.ts";
import type { LastingEvent, PassingEvent, TurnOutcome } from "../event/event.ts";
import type { TurnId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import { type BackgroundCommands, createBackground } from "../machine/background.ts";
import type { UserMessage } from "../message/message.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import type { Toolset } from "../tool/registry.ts";
import { createSeenFiles } from "../tool/seen-files.ts";
import type { ToolRoom } from "../tool/tool.ts";
import { type CompactionOutcome, type CompactionWish, Compactor } from "../turn/compact.ts";
import type { TurnRoom } from "../turn/room.ts";
import { runTurn } from "../turn/run-turn.ts";
import type { SessionParts } from "./parts.ts";
import type { Servers } from "./servers.ts";
import { Spending, type TurnTokens } from "./spending.ts";
import { createToolbox } from "./toolbox.ts";
import { toSnapshot } from "./usage.ts";

/** The session, as whoever answers its prompts sees it. */
export interface ResponderRoom {
  readonly parts: SessionParts;
  /** Nothing where there are none. */
  readonly servers: Servers | undefined;
  model(): Model;
  thoughtLevel(): string | undefined;
  modeId(): string;
  /** Written down, then told. */
  record(event: LastingEvent): Promise<void> | undefined;
  write(body: EntryBody): void;
  tell(event: LastingEvent | PassingEvent): Promise<void> | undefined;
  /** Work that goes on after its turn. */
  linger(work: Promise<unknown>): void;
}

export interface ActiveTurn {
  readonly id: TurnId;
  readonly signal: AbortSignal;
  readonly over: boolean;
}

export class Responder {
  readonly #room: ResponderRoom;
  readonly #tools: () => Toolset;
  readonly #compactor: Compactor;
  readonly #background: BackgroundCommands;
  readonly #seen = createSeenFiles();
  readonly #read = new ReadMessages();
  readonly #usedCallIds: Set<string>;
  readonly #spending: Spending;
  #instructions: string | undefined;
  /** What the model was last told about the day and the place, and in how often a shortened conversation. */
  #told: { readonly facts: Facts; readonly summaries: number } | undefined;

  constructor(room: ResponderRoom) {
    const { history, machine } = room.parts;
    this.#room = room;
    this.#tools = createToolbox(room);
    this.#usedCallIds = new Set(history.callIds);
    this.#spending = new Spending(history.usage?.cost ?? 0);
    this.#compactor = this.#newCompactor();
    this.#background = createBackground(machine);
  }

  /** What the last turn took. */
  get spent(): TurnTokens {
    return this.#spending.turn;
  }

  respond(turn: ActiveTurn): Promise<TurnOutcome> {
    this.#spending.beginTurn();
    return runTurn(this.#turnRoom(turn), this.#usedCallIds, turn.signal);
  }

  /** What the model can use, as it is told of it. */
  get toolSpecs(): ReturnType<Toolset["specs"]> {
    return this.#tools().specs();
  }

  /** The first turn waits for MCP servers, and not for long. Never rejects. */
  async serversReady(signal: AbortSignal): Promise<void> {
    await this.#room.servers?.ready(signal);
  }

  /** Another model counts in its own way. */
  forgetCount(): void {
    this.#spending.forgetCount();
  }

  close(): Promise<void> {
    return this.#background.close();
  }

  /** The model that works right now should not find out by being refused. */
  tellMode(modeId: string): void {
    if (this.#told === undefined) return;
    const facts = { ...this.#told.facts, modeId };
    const aside = tellFacts(facts, this.#told.facts);
    this.#told = { ...this.#told, facts };
    if (aside !== undefined) this.#room.write({ type: "aside", text: aside, apart: true });
  }

  /** What may have changed since the last turn, and is told with the prompt. */
  async lookAround({ parts }: UserMessage, signal: AbortSignal): Promise<void> {
    await this.#tellFacts();
    for (const text of (await this.#room.servers?.readAlong(parts, signal)) ?? []) {
      this.#room.write({ type: "aside", text: `<context>\n${text}\n</context>` });
    }
  }

  async #tellFacts(): Promise<void> {
    const { history, instructions, branch, now } = this.#room.parts;
    const [text, branchName] = await Promise.all([instructions?.(), branch?.()]);
    this.#instructions = text;
    // Asides are explained by our guide; whoever brings another says all there is to say.
    if (this.#room.parts.system !== undefined) return;
    const facts: Facts = {
      date: toDate(now()),
      modeId: this.#room.modeId(),
      branch: branchName,
      plan: history.plan,
    };
    const isFresh = this.#told === undefined || this.#told.summaries !== history.summaries;
    const aside = tellFacts(facts, isFresh ? undefined : this.#told?.facts);
    this.#told = { facts, summaries: history.summaries };
    if (aside !== undefined) this.#room.write({ type: "aside", text: aside });
  }

  #turnRoom(turn: ActiveTurn): TurnRoom {
    const { ids, maxSteps, now, gate } = this.#room.parts;
    return {
      turnId: turn.id,
      ids,
      maxSteps,
      now,
      toolset: this.#tools,
      gate,
      model: this.#room.model,
      request: () => {
        const request = this.#request();
        this.#spending.ask(request.messages.length, this.#room.model().info.id);
        return request;
      },
      retry: this.#room.parts.retry,
      fit: (signal, wish) => this.fit(signal, wish),
      tools: this.#toolRoom(turn),
      record: (event) => (turn.over ? undefined : this.#room.record(event)),
      keep: (event) => this.#room.write(event),
      tell: (event) => (turn.over ? undefined : this.#room.tell(event)),
      decided: (callId, { type, told: _, ...decision }) => {
        this.#room.write({ type: "decision", callId, allowed: type === "allowed", ...decision });
      },
      used: (usage) => this.#recordUsage(this.#spending.add(usage, this.#room.model().info.id)),
      linger: (work) => this.#room.linger(work),
    };
  }

  #toolRoom(turn: ActiveTurn): Omit<ToolRoom, "show"> {
    const { cwd, additionalRoots, env, machine, sandbox, door } = this.#room.parts;
    return {
      machine,
      background: this.#background,
      ...(sandbox && { sandbox }),
      cwd,
      roots: [cwd, ...additionalRoots],
      env,
      seen: this.#seen,
      setPlan: (entries) => {
        const unchanged = JSON.stringify(entries) === JSON.stringify(this.#room.parts.history.plan);
        if (!turn.over && !unchanged) void this.#room.record({ type: "plan", entries });
      },
      askPerson: (question, signal) => door.askPerson(question, signal),
    };
  }

  #request(): ModelRequest {
    const { id, cwd, additionalRoots, platform, history, system } = this.#room.parts;
    const request = buildRequest({
      cwd,
      roots: [cwd, ...additionalRoots],
      platform,
      instructions: this.#instructions,
      thoughtLevel: this.#room.thoughtLevel(),
      cacheKey: id,
      messages: this.#read.of(history.messages),
      tools: this.#tools().specs(),
    });
    if (system === undefined) return request;
    return { ...request, system: [system, this.#instructions].filter(Boolean).join("\n\n") };
  }

  // ---- the model's window ----

  async fit(signal: AbortSignal, wish?: CompactionWish): Promise<CompactionOutcome> {
    const outcome = await this.#compactor.fit(signal, wish);
    if (outcome.type === "compacted") {
      this.#spending.forgetCount();
      await this.#recordUsage(outcome.tokensAfter);
    }
    return outcome;
  }

  #newCompactor(): Compactor {
    const { compactAt, ids, retry } = this.#room.parts;
    return new Compactor({
      compactAt,
      retry,
      model: this.#room.model,
      request: () => this.#request(),
      lastCount: () => this.#spending.counted,
      compactionId: () => ids.message(),
      record: (event) => this.#room.record(event),
      tell: (event) => this.#room.tell(event),
      used: ({ cost }) => {
        this.#spending.pay(cost);
        return undefined;
      },
    });
  }

  #recordUsage(usedTokens: number): Promise<void> | undefined {
    return this.#room.record({ type: "usage", usage: toSnapshot(usedTokens, this.#room.model(), this.#spending.cost) });
  }
}

/** As people there write it: the day of the machine, not of Greenwich. */
function toDate(now: number): string {
  const date = new Date(now);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
