// The turns that have begun and not ended, by session: who hears their updates, and which of them were cancelled.

import type { PromptTurn } from "./prompt-turn.ts";

export class OpenTurns<Update, Result> {
  readonly #turns = new Map<string, Set<PromptTurn<Update, Result>>>();
  // Sessions whose turn was cancelled and has not ended: questions that still come from it are answered `cancelled`.
  readonly #cancelled = new Set<string>();

  /** Until its end. `cancel` asks the agent to end it, and may throw when nobody can be asked. */
  follow(turn: PromptTurn<Update, Result>, signal: AbortSignal | undefined, cancel: () => void): void {
    const { sessionId } = turn;
    const turns = this.#turns.get(sessionId) ?? new Set();
    this.#turns.set(sessionId, turns.add(turn));
    const abort = (): void => {
      try {
        cancel();
      } catch {
        // The pipe is broken or full: the turn ends with the connection.
      }
    };
    const over = (): void => {
      signal?.removeEventListener("abort", abort);
      turns.delete(turn);
      if (turns.size > 0) return;
      this.#turns.delete(sessionId);
      this.#cancelled.delete(sessionId);
    };
    turn.result.then(over, over);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  }

  push(sessionId: string, update: Update): void {
    const turns = this.#turns.get(sessionId);
    if (turns !== undefined) for (const turn of turns) turn.push(update);
  }

  /** Remembered until they end; nothing where there are none. */
  cancel(sessionId: string): void {
    if (this.#turns.has(sessionId)) this.#cancelled.add(sessionId);
  }

  isCancelled(sessionId: string): boolean {
    return this.#cancelled.has(sessionId);
  }
}
