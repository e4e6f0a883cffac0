// Answers the prompts of a session: what the model sees, the loop, its tools, and what it leaves running. Loaded when the
// first prompt is near, since opening a session needs none of it.

import { type Facts, tellFacts } from "../context/facts.ts";
import { ReadMessages } from "../context/read-messages.ts";
import { buildRequest } from "../context/request.ts";
import type { LastingEvent, PassingEvent, TurnOutcome } from "../event/event.ts";
import type { TurnId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import { type BackgroundCommands, createBackground } from "../machine/background.ts";
import { createToolSearch, type ToolSearch } from "../mcp/tool-search.ts";
import type { UserMessage } from "../message/message.ts";
import type { Model, ModelRequest, Usage } from "../model/model.ts";
import { builtinTools } from "../tool/builtin/index.ts";
import { runShellCommand, runShellCommandInSandbox } from "../tool/builtin/run-shell-command.ts";
import { createWebSearch } from "../tool/builtin/web-search.ts";
import { createToolset, type Toolset } from "../tool/registry.ts";
import { createSeenFiles } from "../tool/seen-files.ts";
import type { AnyTool, ToolRoom } from "../tool/tool.ts";
import { type CompactionOutcome, type CompactionWish, Compactor } from "../turn/compact.ts";
import type { TurnRoom } from "../turn/room.ts";
import { runTurn } from "../turn/run-turn.ts";
import type { SessionParts } from "./parts.ts";
import type { Servers } from "./servers.ts";
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

/** Of all its requests together. */
export interface TurnTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export interface ActiveTurn {
  readonly id: TurnId;
  readonly signal: AbortSignal;
  readonly over: boolean;
}

export class Responder {
  readonly #room: ResponderRoom;
  readonly #own: readonly AnyTool[];
  /** Of MCP servers; they come and go. */
  #theirs: readonly AnyTool[] = [];
  #toolset: Toolset;
  /** Lists the tools of servers, or finds them where they are too many. */
  readonly #search: ToolSearch | undefined;
  readonly #compactor: Compactor;
  readonly #background: BackgroundCommands;
  readonly #seen = createSeenFiles();
  readonly #read = new ReadMessages();
  readonly #usedCallIds: Set<string>;
  #cost: number;
  #spent: TurnTokens = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  #instructions: string | undefined;
  /** What the model was last told about the day and the place, and in how often a shortened conversation. */
  #told: { readonly facts: Facts; readonly summaries: number } | undefined;
  /** What the provider counted for the last request, and how many messages that was. */
  #counted: { readonly tokens: number; readonly messages: number } | undefined;
  #asked = { messages: 0, modelId: "" };

  constructor(room: ResponderRoom) {
    const { history, machine, tools, builtinTools, sandbox, search } = room.parts;
    const further = search === undefined ? tools : [createWebSearch(search), ...tools];
    this.#room = room;
    this.#own = mergeTools(further, { confined: sandbox?.type === "active", names: builtinTools });
    this.#toolset = createToolset(this.#own);
    this.#usedCallIds = new Set(history.callIds);
    this.#cost = history.usage?.cost ?? 0;
    this.#search = this.#newSearch();
    this.#compactor = this.#newCompactor();
    this.#background = createBackground(machine);
  }

  /** What the last turn took. */
  get spent(): TurnTokens {
    return this.#spent;
  }

  respond(turn: ActiveTurn): Promise<TurnOutcome> {
    this.#spent = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
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

  #tools(): Toolset {
    const theirs = this.#search?.listed() ?? this.#theirs;
    if (theirs !== this.#theirs) {
      this.#theirs = theirs;
      const names = new Set(this.#own.map(({ name }) => name));
      this.#toolset = createToolset([...this.#own, ...theirs.filter(({ name }) => !names.has(name))]);
    }
    return this.#toolset;
  }

  #newSearch(): ToolSearch | undefined {
    const { servers, model, parts } = this.#room;
    if (servers === undefined) return undefined;
    const window = { windowTokens: () => model().info.windowTokens };
    const search = createToolSearch(
      () => servers.tools(),
      window,
      () => servers.reports().map(({ name }) => name),
    );
    const called = parts.history.messages.flatMap((message) => (message.role === "result" ? [message.name] : []));
    search.reveal(called);
    return search;
  }

  /** Another model counts in its own way. */
  forgetCount(): void {
    this.#counted = undefined;
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
      toolset: () => this.#tools(),
      gate,
      model: this.#room.model,
      request: () => {
        const request = this.#request();
        this.#asked = { messages: request.messages.length, modelId: this.#room.model().info.id };
        return request;
      },
      retry: this.#room.parts.retry,
      fit: (signal, wish) => this.fit(signal, wish),
      tools: this.#toolRoom(turn),
      record: (event) => (turn.over ? undefined : this.#room.record(event)),
      keep: (event) => this.#room.write(event),
      tell: (event) => (turn.over ? undefined : this.#room.tell(event)),
      decided: (callId, { type, ...decision }) => {
        this.#room.write({ type: "decision", callId, allowed: type === "allowed", ...decision });
      },
      used: (usage) => this.#used(usage),
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
      this.#counted = undefined;
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
      lastCount: () => this.#counted,
      compactionId: () => ids.message(),
      record: (event) => this.#room.record(event),
      tell: (event) => this.#room.tell(event),
      used: ({ cost = 0 }) => {
        this.#cost += cost;
        return undefined;
      },
    });
  }

  #used(usage: Usage): Promise<void> | undefined {
    this.#cost += usage.cost ?? 0;
    this.#spent = {
      inputTokens: this.#spent.inputTokens + usage.inputTokens,
      outputTokens: this.#spent.outputTokens + usage.outputTokens,
      totalTokens: this.#spent.totalTokens + usage.inputTokens + usage.outputTokens,
    };
    const tokens = usage.inputTokens + usage.outputTokens;
    // Another model counts in its own way: one that was changed meanwhile says nothing about the next request.
    if (this.#room.model().info.id === this.#asked.modelId) this.#counted = { tokens, messages: this.#asked.messages };
    return this.#recordUsage(tokens);
  }

  #recordUsage(usedTokens: number): Promise<void> | undefined {
    return this.#room.record({ type: "usage", usage: toSnapshot(usedTokens, this.#room.model(), this.#cost) });
  }
}

/** As people there write it: the day of the machine, not of Greenwich. */
function toDate(now: number): string {
  const date = new Date(now);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

interface BuiltinChoice {
  readonly confined: boolean;
  /** All where nothing is said. */
  readonly names: readonly string[] | undefined;
}

/** An embedder's tool stands for the built-in one of its name. */
function mergeTools(own: readonly AnyTool[], { confined, names }: BuiltinChoice): AnyTool[] {
  const taken = new Set(own.map(({ name }) => name));
  const builtin = builtinTools
    .filter(({ name }) => !taken.has(name) && (names?.includes(name) ?? true))
    .map((tool) => (confined && tool === runShellCommand ? runShellCommandInSandbox : tool));
  return [...builtin, ...own];
}
