// What a journal adds up to: the messages a model is given, and the settings of the session. Live sessions and stored
// ones use the same fold, entry by entry. Does no I/O.

import type { PlanEntry, TurnOutcome, UsageSnapshot } from "../event/event.ts";
import type { CallId, MessageId, TurnId } from "../id/id.ts";
import { type Message, text, type UserMessage } from "../message/message.ts";
import type { EntryBody, Header } from "./entry.ts";
import { type OpenCall, TurnMessages, trimResult } from "./turn-messages.ts";

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

/** Messages of ended turns, found by id and forgotten from the beginning, at a cost that does not grow with them. */
class SettledMessages {
  /** What is forgotten stands at its beginning until it is half of it. */
  #messages: Message[] = [];
  #forgotten = 0;
  /** How many were ever cut off: positions count from the first message there was. */
  #cutOff = 0;
  readonly #positions = new Map<MessageId, number>();
  readonly #results = new Map<CallId, number>();

  push(message: Message): void {
    const position = this.#cutOff + this.#messages.length;
    if (message.role === "result") this.#results.set(message.callId, position);
    else this.#positions.set(message.id, position);
    this.#messages.push(message);
  }

  toMessages(): readonly Message[] {
    return this.#messages.slice(this.#forgotten);
  }

  trimCall(callId: CallId): void {
    const position = this.#results.get(callId);
    if (position === undefined) return;
    const result = this.#messages[position - this.#cutOff];
    if (result?.role === "result") this.#messages[position - this.#cutOff] = trimResult(result);
  }

  dropAll(): void {
    this.#dropUntil(this.#messages.length);
  }

  /** Through the message with this id and the results that belong to it; false where there is none. */
  dropThrough(id: MessageId): boolean {
    const position = this.#positions.get(id);
    if (position === undefined) return false;
    let end = position - this.#cutOff + 1;
    while (this.#messages[end]?.role === "result") end++;
    this.#dropUntil(end);
    return true;
  }

  #dropUntil(end: number): void {
    for (let at = this.#forgotten; at < end; at++) this.#forget(this.#messages[at] as Message, at + this.#cutOff);
    this.#forgotten = end;
    if (this.#forgotten * 2 < this.#messages.length) return;
    this.#messages = this.#messages.slice(end);
    this.#cutOff += end;
    this.#forgotten = 0;
  }

  #forget(message: Message, position: number): void {
    if (message.role === "result") this.#results.delete(message.callId);
    // An id that was used twice names the later message.
    else if (this.#positions.get(message.id) === position) this.#positions.delete(message.id);
  }
}

const SUMMARY = "summary:";

/** Whether it stands for what was said before. */
export function isSummary(message: Message): message is UserMessage {
  return message.role === "user" && message.id.startsWith(SUMMARY);
}

/** As the model is given it. */
export function toSummary(compactionId: string, summary: string): UserMessage {
  const told = `${SUMMARY_BEGINS}\n<summary>\n${summary}\n</summary>`;
  return { role: "user", id: `${SUMMARY}${compactionId}` as MessageId, parts: [text(told)] };
}

const SUMMARY_BEGINS =
  "The beginning of this session no longer fits. This is your own summary of it; what follows is as it was said. Go on from there, and read files again before you rely on their contents.";

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
