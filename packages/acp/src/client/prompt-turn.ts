// One prompt and its turn, as the client sees it: updates to iterate over, and the result.

import type { PromptResponse, SessionUpdate } from "../v1/generated/type.ts";
import { type InputFlow, UpdateQueue } from "./update-queue.ts";

/**
 * `for await` gives the updates in order and ends when the turn does; `result` is the answer. Every update that came
 * before the answer has been given out, or is waiting to be, when `result` resolves. The turn itself is no promise:
 * await its `result`.
 */
export class PromptTurn<Update = SessionUpdate, Result = PromptResponse> implements AsyncIterable<Update> {
  readonly sessionId: string;
  readonly result: Promise<Result>;
  readonly #queue: UpdateQueue<Update>;

  constructor(sessionId: string, flow: InputFlow, send: () => Promise<Result>) {
    this.sessionId = sessionId;
    this.#queue = new UpdateQueue(flow);
    this.result = send();
    this.result.then(
      () => this.#queue.end(),
      (cause) => this.#queue.end(cause),
    );
  }

  /** For the client only. */
  push(update: Update): void {
    this.#queue.push(update);
  }

  [Symbol.asyncIterator](): AsyncGenerator<Update, void, undefined> {
    return this.#queue.read();
  }
}
