// What a handler knows about the request it answers. The abort signal is made only when somebody asks for it: most
// handlers never do, and it costs more than all the rest of a request.

import type { Id } from "../stream/frame.ts";

export class RequestContext {
  readonly method: string;
  readonly requestId: Id;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #after: (() => unknown)[] | undefined;

  constructor(method: string, requestId: Id) {
    this.method = method;
    this.requestId = requestId;
  }

  /** Fires when the peer cancels the request, or the connection ends. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  get cancelled(): boolean {
    return this.#reason !== undefined;
  }

  /**
   * Runs `then` once the response has left this process: what it sends comes after the response, and in a chunk of its
   * own. It may be async. Not run when the connection ends first. Its failure goes to the connection's diagnostics.
   */
  afterResponse(then: () => unknown): void {
    this.#after ??= [];
    this.#after.push(then);
  }

  /** For the connection only. */
  cancel(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }

  /** For the connection only. */
  takeAfter(): (() => unknown)[] | undefined {
    const after = this.#after;
    this.#after = undefined;
    return after;
  }
}
