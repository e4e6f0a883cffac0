// How long thoughts and tool calls took, as seen from here: the protocol does not tell.

import type { TranscriptItem } from "@agentao/acp";
import type { Span } from "./view/room.ts";

interface Watch {
  readonly from: number;
  readonly isStarted: boolean;
  /** The same value until it changes, so that lines can be kept. */
  readonly span: Span;
}

export class Stopwatch {
  readonly #now: () => number;
  readonly #watches = new Map<number, Watch>();
  /** Items that have not ended, by number. */
  readonly #open = new Set<number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  span(index: number): Span {
    return this.#watches.get(index)?.span;
  }

  /** An item has appeared. */
  start(index: number, item: TranscriptItem | undefined): void {
    const isThought = item?.type === "message" && item.from === "thought";
    // How long the person takes to answer is nobody's business.
    const isTimed = isThought || (item?.type === "tool-call" && item.name !== "ask_user");
    if (!isTimed) return;
    this.#watches.set(index, { from: this.#now(), isStarted: isThought, span: { type: "running" } });
    this.#open.add(index);
  }

  /** Items have changed: those that are over get their time. */
  look(items: readonly TranscriptItem[]): void {
    for (const index of this.#open) {
      const item = items[index];
      if (item?.type === "tool-call") this.#lookAtCall(index, item.status);
      // A thought lasts until something else begins.
      else if (index < items.length - 1) this.#end(index);
    }
  }

  /** The turn is over, and whatever ran in it. */
  endAll(): void {
    for (const index of this.#open) this.#end(index);
  }

  #lookAtCall(index: number, status: string): void {
    const watch = this.#watches.get(index);
    if (status === "completed" || status === "failed") this.#end(index);
    // Waiting for an answer to a permission question is not the call's time.
    else if (status === "in_progress" && watch?.isStarted === false) {
      this.#watches.set(index, { ...watch, from: this.#now(), isStarted: true });
    }
  }

  #end(index: number): void {
    this.#open.delete(index);
    const watch = this.#watches.get(index);
    // What was never begun, as a call that was refused, took no time of its own.
    if (watch?.isStarted === false) this.#watches.delete(index);
    else if (watch !== undefined)
      this.#watches.set(index, { ...watch, span: { type: "took", ms: this.#now() - watch.from } });
  }
}
