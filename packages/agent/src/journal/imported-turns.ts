// Entries for a conversation that was held elsewhere, told turn by turn. Ids are counted, so that the same conversation
// always gives the same entries. Pure.

import type { CallKind, PlanEntry } from "../event/event.ts";
import type { CallId, MessageId, TurnId } from "../id/id.ts";
import type { PromptPart } from "../message/message.ts";
import type { EntryBody } from "./entry.ts";

export interface ImportedCall {
  /** As the other system called it; calls of later messages may have the same. */
  readonly id: string;
  readonly name: string;
  readonly rawInput: string;
  readonly kind: CallKind;
}

export class ImportedTurns {
  readonly #entries: EntryBody[] = [];
  readonly #callIds = new Set<string>();
  /** What the results that follow may name. */
  readonly #named = new Map<string, CallId>();
  #turnId: TurnId | undefined;
  #messageId = "" as MessageId;
  #messages = 0;
  #turns = 0;

  /** Ends the turn before. */
  prompt(parts: readonly PromptPart[]): void {
    this.end();
    this.#turnId = `turn_imported${++this.#turns}` as TurnId;
    const message = { role: "user", id: this.#nextMessageId(), parts } as const;
    this.#entries.push({ type: "prompt", turnId: this.#turnId, message });
  }

  /** Begins a message of the assistant; what is said and asked for from here on is part of it. */
  answer(): void {
    this.#messageId = this.#nextMessageId();
  }

  text(text: string): void {
    if (text !== "") this.#entries.push({ type: "text", messageId: this.#messageId, text });
  }

  reasoning(text: string): void {
    if (text !== "") this.#entries.push({ type: "reasoning", messageId: this.#messageId, text });
  }

  call({ id, name, rawInput, kind }: ImportedCall): void {
    const callId = (id !== "" && !this.#callIds.has(id) ? id : `call_imported${this.#callIds.size + 1}`) as CallId;
    this.#callIds.add(callId);
    this.#named.set(id, callId);
    const call = { callId, name, title: name, kind, locations: [], input: toInput(rawInput), content: [] };
    this.#entries.push({ type: "call", messageId: this.#messageId, call, rawInput });
  }

  /** A result nobody asked for is left out. */
  result(id: string, text: string, failed: boolean): void {
    const callId = this.#named.get(id);
    if (callId !== undefined)
      this.#entries.push({ type: "call-ended", callId, failed, told: [{ type: "text", text }] });
  }

  plan(entries: readonly PlanEntry[]): void {
    this.#entries.push({ type: "plan", entries });
  }

  title(title: string): void {
    if (title !== "") this.#entries.push({ type: "title", title });
  }

  end(outcome: "ended" | "cancelled" = "ended"): void {
    if (this.#turnId === undefined) return;
    this.#entries.push({ type: "turn-ended", turnId: this.#turnId, outcome: { type: outcome } });
    this.#turnId = undefined;
  }

  get entries(): readonly EntryBody[] {
    return this.#entries;
  }

  #nextMessageId(): MessageId {
    return `msg_imported${++this.#messages}` as MessageId;
  }
}

function toInput(rawInput: string): unknown {
  try {
    return JSON.parse(rawInput);
  } catch {
    return rawInput;
  }
}
