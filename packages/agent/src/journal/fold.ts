// What a journal adds up to: the messages a model is given, and the settings of the session. Live sessions and stored
// ones use the same fold, entry by entry. Does no I/O.

import type { PlanEntry, TurnOutcome, UsageSnapshot } from "../event/event.ts";
import type { CallId, TurnId } from "../id/id.ts";
import type { Message } from "../message/message.ts";
import type { EntryBody, Header } from "./entry.ts";
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

/** What a turn that ended is told as never changes again, so that providers find the beginning in their caches. */
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
  readonly #callIds = new Set<CallId>();
  readonly #settled: Message[] = [];
  #open = new TurnMessages();

  /** Takes one more entry. What it does not know leaves it as it was. */
  add(entry: EntryBody | Header): void {
    switch (entry.type) {
      case "prompt":
        this.#settle(this.#open.turnId === undefined ? undefined : INTERRUPTED);
        this.#open = new TurnMessages(entry.turnId, entry.message);
        this.turns++;
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
        this.#open.endCall(entry.callId, entry.failed, entry.told);
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
    return [...this.#settled, ...this.#open.toMessages()];
  }

  get openTurn(): OpenTurn | undefined {
    const { turnId, openCalls } = this.#open;
    return turnId === undefined ? undefined : { turnId, calls: openCalls };
  }

  /** Every call there ever was. */
  get callIds(): ReadonlySet<CallId> {
    return this.#callIds;
  }

  #addCall({ messageId, call: { callId, name }, rawInput }: Extract<EntryBody, { type: "call" }>): void {
    if (this.#callIds.has(callId)) return;
    this.#callIds.add(callId);
    this.#open.addCall(messageId, { type: "call", callId, name, input: rawInput });
  }

  #end(outcome: TurnOutcome): void {
    // A refused prompt, and everything behind it, is not part of the next one (ACP v1, stop reason `refusal`).
    if (outcome.type === "refused") this.#open = new TurnMessages();
    else this.#settle(remarkOn(outcome));
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
