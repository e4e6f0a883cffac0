// What a journal adds up to: the messages a model is given, and the settings of the session. Live sessions and stored
// ones use the same fold, entry by entry. Does no I/O.

import type { PlanEntry, TurnOutcome, UsageSnapshot } from "../event/event.ts";
import type { CallId, TurnId } from "../id/id.ts";
import type { Message, UserMessage } from "../message/message.ts";
import type { EntryBody, Header } from "./entry.ts";
import { SettledMessages } from "./settled-messages.ts";
import { toSummary } from "./summary-message.ts";
import { type OpenCall, TurnMessages } from "./turn-messages.ts";

/** A turn that has not ended: it runs, or its process died. */
export interface OpenTurn {
  readonly turnId: TurnId;
  readonly calls: readonly OpenCall[];
}

export function foldHistory(entries: Iterable<EntryBody | Header>): History {
  const history = new History();
  for (const entry of entries) history.add(entry);
  return history;
}

/**
 * What a turn that ended is told as changes only when it is trimmed or summed up, so that providers find the beginning in
 * their caches. A message that did not change is the same object each time.
 */
export class History {
  plan: readonly PlanEntry[] = [];
  modeId: string | undefined;
  modelId: string | undefined;
  thoughtLevel: string | undefined;
  /** As somebody named it. */
  title: string | undefined;
  usage: UsageSnapshot | undefined;
  /** How many there were, the open one included. */
  turns = 0;
  /** How often the beginning was replaced: what was only told there has to be told again. */
  summaries = 0;
  readonly #callIds = new Set<CallId>();
  readonly #trimmed = new Set<CallId>();
  readonly #settled = new SettledMessages();
  #summary: UserMessage | undefined;
  #open = new TurnMessages();
  /** Until the next entry. */
  #messages: readonly Message[] | undefined;
  /** For the next prompt. */
  #asides: string[] = [];

  /** Takes one more entry. What it does not know leaves it as it was. */
  add(entry: EntryBody | Header): void {
    this.#messages = undefined;
    switch (entry.type) {
      case "prompt":
        this.#settle(this.#open.turnId === undefined ? undefined : INTERRUPTED);
        this.#begin(entry.turnId, entry.message);
        break;
      case "aside":
        if (this.#open.turnId === undefined) this.#asides.push(entry.text);
        else this.#open.addAside(entry.text, entry.apart);
        break;
      case "text":
        this.#open.addText(entry.messageId, entry.text);
        break;
      case "reasoning":
        this.#open.addReasoning(entry.messageId, entry.text, entry.opaque);
        break;
      case "call":
        this.#addCall(entry);
        break;
      case "call-running":
        this.#open.startCall(entry.callId);
        break;
      case "call-ended":
        this.#open.endCall(entry.callId, entry.failed, entry.told, { trimmed: this.#trimmed.has(entry.callId) });
        break;
      case "trimmed":
        for (const callId of entry.callIds) this.#trim(callId);
        break;
      case "summary":
        this.#sumUp(entry);
        break;
      case "turn-ended":
        if (entry.turnId === this.#open.turnId) this.#end(entry.outcome);
        break;
      case "interrupted":
        if (this.#open.turnId !== undefined) this.#settle(INTERRUPTED);
        break;
      case "plan":
        this.plan = entry.entries;
        break;
      case "mode":
        this.modeId = entry.modeId;
        break;
      case "model":
        this.modelId = entry.modelId;
        break;
      case "thought-level":
        this.thoughtLevel = entry.level;
        break;
      case "title":
        this.title = entry.title;
        break;
      case "usage":
        this.usage = entry.usage;
        break;
      case "session":
      case "roots":
      case "decision":
        break;
      default:
        entry satisfies never;
    }
  }

  /** What the model is given. While calls run, they stand there as interrupted. */
  get messages(): readonly Message[] {
    const summary: readonly Message[] = this.#summary === undefined ? [] : [this.#summary];
    this.#messages ??= summary.concat(this.#settled.toMessages(), this.#open.toMessages());
    return this.#messages;
  }

  /** Whether the beginning is a summary. */
  get summarised(): boolean {
    return this.#summary !== undefined;
  }

  get openTurn(): OpenTurn | undefined {
    const { turnId, openCalls } = this.#open;
    return turnId === undefined ? undefined : { turnId, calls: openCalls };
  }

  /** Every call there ever was. */
  get callIds(): ReadonlySet<CallId> {
    return this.#callIds;
  }

  #begin(turnId: TurnId, prompt: UserMessage): void {
    this.#open = new TurnMessages(turnId, prompt);
    for (const aside of this.#asides) this.#open.addAside(aside);
    this.#asides = [];
    this.turns++;
  }

  #addCall({ messageId, call: { callId, name }, rawInput, opaque }: Extract<EntryBody, { type: "call" }>): void {
    if (this.#callIds.has(callId)) return;
    this.#callIds.add(callId);
    const part = { type: "call", callId, name, input: rawInput, ...(opaque !== undefined && { opaque }) } as const;
    this.#open.addCall(messageId, part);
  }

  #trim(callId: CallId): void {
    if (!this.#callIds.has(callId)) return;
    this.#trimmed.add(callId);
    this.#open.trimCall(callId);
    this.#settled.trimCall(callId);
  }

  #sumUp({ compactionId, text, through }: Extract<EntryBody, { type: "summary" }>): void {
    if (this.#open.has(through)) {
      this.#open.dropThrough(through);
      this.#settled.dropAll();
    } else if (through !== this.#summary?.id && !this.#settled.dropThrough(through)) return;
    this.#summary = toSummary(compactionId, text);
    this.summaries++;
  }

  #end(outcome: TurnOutcome): void {
    if (outcome.type === "refused") this.#forgetOpen();
    else this.#settle(remarkOn(outcome));
  }

  /**
   * A refused prompt, and everything behind it, is not part of the next one (ACP v1, stop reason `refusal`). What we told
   * with it still is, because nobody tells it twice.
   */
  #forgetOpen(): void {
    this.#asides = [...this.#open.promptAsides];
    this.#open = new TurnMessages();
  }

  #settle(remark: string | undefined): void {
    for (const message of this.#open.toMessages(remark)) this.#settled.push(message);
    this.#open = new TurnMessages();
  }
}

const INTERRUPTED = "[Interrupted: the process ended before this turn was finished.]";
const LOOPED = "[Stopped: the same call was made again and again.]";

function remarkOn(outcome: Exclude<TurnOutcome, { type: "refused" }>): string | undefined {
  switch (outcome.type) {
    case "ended":
      return undefined;
    case "cancelled":
      return "[Cancelled by the user before this turn was finished.]";
    case "cut-short":
      return "[Cut short: the limit of output was reached.]";
    case "exhausted":
      return "[Stopped: this turn took too many steps.]";
    case "failed":
      return outcome.fault.kind === "loop" ? LOOPED : "[Failed: an error ended this turn before it was finished.]";
    default:
      outcome satisfies never;
      return undefined;
  }
}
