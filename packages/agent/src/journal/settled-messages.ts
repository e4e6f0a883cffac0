// Messages of ended turns, found by id and forgotten from the beginning, at a cost that does not grow with them.

import type { CallId, MessageId } from "../id/id.ts";
import type { Message } from "../message/message.ts";
import { trimResult } from "./turn-messages.ts";

export class SettledMessages {
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
