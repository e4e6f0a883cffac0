// What a session has spent: money in all, tokens in its last turn, and how much of the window its last request took.

import type { Usage } from "../model/model.ts";

/** Of all its requests together. */
export interface TurnTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** What the provider counted for a request and its answer, and how many messages that request had. */
export interface Counted {
  readonly tokens: number;
  readonly messages: number;
}

const NOTHING: TurnTokens = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

export class Spending {
  #cost: number;
  #turn = NOTHING;
  #counted: Counted | undefined;
  #asked = { messages: 0, modelId: "" };

  constructor(cost: number) {
    this.#cost = cost;
  }

  get cost(): number {
    return this.#cost;
  }

  get turn(): TurnTokens {
    return this.#turn;
  }

  get counted(): Counted | undefined {
    return this.#counted;
  }

  beginTurn(): void {
    this.#turn = NOTHING;
  }

  ask(messages: number, modelId: string): void {
    this.#asked = { messages, modelId };
  }

  /** Money that was spent beside the turn. */
  pay(cost = 0): void {
    this.#cost += cost;
  }

  /** Answers how many tokens the conversation takes now. */
  add({ inputTokens, outputTokens, cost }: Usage, modelId: string): number {
    this.pay(cost);
    const tokens = inputTokens + outputTokens;
    this.#turn = {
      inputTokens: this.#turn.inputTokens + inputTokens,
      outputTokens: this.#turn.outputTokens + outputTokens,
      totalTokens: this.#turn.totalTokens + tokens,
    };
    // Another model counts in its own way: one that was changed meanwhile says nothing about the next request.
    if (modelId === this.#asked.modelId) this.#counted = { tokens, messages: this.#asked.messages };
    return tokens;
  }

  forgetCount(): void {
    this.#counted = undefined;
  }
}
