// A stored session as a person reads it: who said what, what was done, who allowed it. Folded from the journal's entries;
// does no I/O.

import type { CallContent, CallView, DecisionEntry, Entry, PlanEntry, PromptPart, TurnOutcome } from "@agentao/agent";

export interface Transcript {
  readonly id: string;
  readonly cwd: string;
  readonly additionalRoots?: readonly string[];
  readonly forkedFrom?: string;
  readonly title?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly model?: string;
  readonly mode?: string;
  readonly thoughtLevel?: string;
  /** In US dollars, where prices are known. */
  readonly cost?: number;
  readonly usedTokens?: number;
  readonly windowTokens?: number;
  /** How long it worked, without the time between turns. */
  readonly workedMs: number;
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly at: number;
  readonly prompt: readonly PromptPart[];
  readonly items: readonly Item[];
  /** Nothing while it runs, or when its process died. */
  readonly outcome?: TurnOutcome;
  readonly endedAt?: number;
}

export type Item =
  | { readonly type: "text" | "reasoning"; readonly at: number; readonly text: string }
  | CallItem
  | { readonly type: "plan"; readonly at: number; readonly entries: readonly PlanEntry[] }
  | { readonly type: "summary"; readonly at: number; readonly text: string }
  /** The model or the mode was changed, or the process died. */
  | { readonly type: "remark"; readonly at: number; readonly text: string };

export type Decision = Omit<DecisionEntry, "type" | "callId">;

export interface CallItem {
  readonly type: "call";
  readonly at: number;
  readonly call: CallView;
  readonly decisions: readonly Decision[];
  readonly runningAt?: number;
  readonly endedAt?: number;
  readonly failed?: boolean;
  /** What the person was shown of its end. */
  readonly content?: readonly CallContent[];
}

type Open<Value> = { -readonly [Field in keyof Value]: Value[Field] };
interface OpenTurn extends Omit<Open<Turn>, "items"> {
  turnId: string;
  items: OpenItem[];
}
type OpenCall = Omit<Open<CallItem>, "decisions"> & { decisions: Decision[] };
type OpenItem = Exclude<Item, CallItem> | OpenCall;

export class TranscriptFold {
  #head: Omit<Open<Transcript>, "turns" | "workedMs"> | undefined;
  readonly #turns: OpenTurn[] = [];
  readonly #calls = new Map<string, OpenCall>();
  #lastMessage: string | undefined;

  add(entry: Entry): void {
    if (entry.type === "session") this.#begin(entry);
    const head = this.#head;
    if (head === undefined) return;
    head.updatedAt = entry.at;
    this.#take(entry, head);
  }

  /** Nothing until the header came. */
  get transcript(): Transcript | undefined {
    const turns = this.#turns.map(({ turnId: _, ...turn }) => turn);
    const workedMs = turns.reduce(
      (sum, turn) => sum + ((turn.endedAt ?? turn.items.at(-1)?.at ?? turn.at) - turn.at),
      0,
    );
    return this.#head && { ...this.#head, workedMs, turns };
  }

  #begin({ id, cwd, additionalRoots, forkedFrom, at }: Extract<Entry, { type: "session" }>): void {
    this.#head ??= {
      id,
      cwd,
      ...(additionalRoots !== undefined && { additionalRoots }),
      ...(forkedFrom !== undefined && { forkedFrom }),
      createdAt: at,
      updatedAt: at,
    };
  }

  #take(entry: Entry, head: Omit<Open<Transcript>, "turns" | "workedMs">): void {
    const { at } = entry;
    switch (entry.type) {
      case "prompt":
        this.#turns.push({ turnId: entry.turnId, at, prompt: entry.message.parts, items: [] });
        break;
      case "text":
      case "reasoning":
        this.#say(entry.type, entry.text, entry.messageId, at);
        break;
      case "call":
        this.#announce(entry.call, at);
        break;
      case "decision": {
        const { type: _, callId, at: __, ...decision } = entry;
        this.#calls.get(callId)?.decisions.push(decision);
        break;
      }
      case "call-running":
        this.#change(entry.callId, { runningAt: at });
        break;
      case "call-ended":
        this.#change(entry.callId, { endedAt: at, failed: entry.failed, content: entry.content ?? entry.told });
        break;
      case "plan":
        this.#push({ type: "plan", at, entries: entry.entries });
        break;
      case "summary":
        this.#push({ type: "summary", at, text: entry.text });
        break;
      case "interrupted":
        this.#push({ type: "remark", at, text: "The process ended before this turn was finished." });
        break;
      case "model":
        if (head.model !== undefined) this.#push({ type: "remark", at, text: `The model is now ${entry.modelId}.` });
        head.model = entry.modelId;
        break;
      case "mode":
        if (head.mode !== undefined) this.#push({ type: "remark", at, text: `The mode is now ${entry.modeId}.` });
        head.mode = entry.modeId;
        break;
      case "thought-level":
        head.thoughtLevel = entry.level;
        break;
      case "title":
        head.title = entry.title;
        break;
      case "roots":
        head.cwd = entry.cwd;
        break;
      case "usage":
        head.usedTokens = entry.usage.usedTokens;
        head.windowTokens = entry.usage.windowTokens;
        if (entry.usage.cost !== undefined) head.cost = entry.usage.cost;
        break;
      case "turn-ended": {
        const turn = this.#turns.find(({ turnId }) => turnId === entry.turnId);
        if (turn !== undefined) Object.assign(turn, { outcome: entry.outcome, endedAt: at });
        break;
      }
      case "session":
      case "aside":
      case "trimmed":
        break;
      default:
        // A later version may have written it.
        entry satisfies never;
    }
  }

  /** Pieces of one message that follow each other are one text. */
  #say(type: "text" | "reasoning", text: string, messageId: string, at: number): void {
    const items = this.#turns.at(-1)?.items;
    const last = items?.at(-1);
    if (items === undefined) return;
    if (last?.type === type && this.#lastMessage === messageId)
      items[items.length - 1] = { ...last, text: last.text + text };
    else items.push({ type, at, text });
    this.#lastMessage = messageId;
  }

  #announce(call: CallView, at: number): void {
    const item: OpenCall = { type: "call", at, call, decisions: [] };
    this.#calls.set(call.callId, item);
    this.#push(item);
  }

  #change(callId: string, change: Partial<CallItem>): void {
    const item = this.#calls.get(callId);
    if (item !== undefined) Object.assign(item, change);
  }

  #push(item: OpenItem): void {
    this.#turns.at(-1)?.items.push(item);
  }
}

/** One sentence: who allowed or denied it, by what. */
export function describeDecision({ allowed, by, because = "", rule, answer }: Decision): string {
  const verb = allowed ? "allowed" : "denied";
  // Older journals have here what the model was told, which stands with the call.
  const isSaid = because === "" || because === "the person rejected it" || because.startsWith("Denied:");
  const why = isSaid ? "" : `: ${because}`;
  switch (by) {
    case "rule":
      return `${verb} by ${rule?.startsWith("mode ") ? rule : `rule ${rule ?? ""}`.trimEnd()}${why}`;
    case "grant":
      return `${verb} by an earlier answer${rule === undefined ? "" : ` (${rule})`}${why}`;
    case "person": {
      const asked = rule === undefined ? "" : `, asked by rule ${rule}`;
      return `${verb} by the person${answer === undefined ? "" : ` (${answer})`}${asked}${why}`;
    }
    default:
      return `${verb}${why}`;
  }
}

export function describeOutcome(outcome: TurnOutcome | undefined): string | undefined {
  switch (outcome?.type) {
    case undefined:
      return "not finished";
    case "ended":
      return undefined;
    case "cancelled":
      return "cancelled";
    case "refused":
      return "the model refused";
    case "cut-short":
      return "cut short: the limit of output was reached";
    case "exhausted":
      return "stopped: too many steps";
    case "failed":
      return `failed: ${outcome.fault.message}`;
    default:
      return undefined;
  }
}
