// One JSON-RPC connection: requests both ways, notifications, cancellation, order, limits, the end. It knows no method
// of ACP but `$/cancel_request`; what exists and how it is decoded comes in as routes.
//
// Order: frames are handled one after the other, synchronously, as they came. A response settles its promise; frames
// behind it wait until the code that awaited the promise has run.

import { type Decoder, explain, INVALID } from "../decode/decode.ts";
import { LocalError } from "../error/local-error.ts";
import { errorCodes, RpcError } from "../error/rpc-error.ts";
import type { ErrorObject, Id } from "../stream/frame.ts";
import type { Garbage, Receiver, Stream } from "../stream/stream.ts";
import { afterMicrotasks } from "./after-microtasks.ts";
import type { Diagnostic, OnDiagnostic } from "./diagnostic.ts";
import { describe, toErrorObject, toPromise, toRpcError } from "./outcome.ts";
import { PendingRequests, type RequestOptions, type ResponseParts } from "./pending-request.ts";
import { RequestContext } from "./request-context.ts";
import { Unsettled } from "./unsettled.ts";

/** Above this many unanswered requests of the peer, further ones are refused. */
export const MAX_OPEN_REQUESTS = 4096;

/** So many complaints in a row about frames that make no sense; then silence until one does. */
const MAX_COMPLAINTS = 64;

/** After the peer's end of input, handlers have this long to finish. */
const DRAIN_MS = 5_000;

export interface RequestRoute {
  readonly params: Decoder<unknown>;
  handle(params: unknown, context: RequestContext): unknown;
}

export interface NotificationRoute {
  readonly params: Decoder<unknown>;
  handle(params: unknown): unknown;
}

/** What this side answers. Looked up per frame, so that routes may change while connected. */
export interface Routes {
  request(method: string): RequestRoute | undefined;
  notification(method: string): NotificationRoute | undefined;
}

export interface ConnectionOptions {
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly drainMs?: number | undefined;
}

export class Connection {
  readonly #stream: Stream;
  readonly #routes: Routes;
  readonly #options: ConnectionOptions;
  readonly #pending = new PendingRequests((requestId) => this.#tellCancelled(requestId));
  readonly #open = new Map<Id, RequestContext>();
  readonly #unsettled = new Unsettled({
    hold: () => this.#hold(),
    release: () => this.#release(),
    stalled: (count) => this.#report({ type: "handlers-stalled", message: `${count} notification handlers stall` }),
    idle: () => this.#checkDrained(),
  });
  readonly #closed: Promise<Error>;
  #resolveClosed!: (cause: Error) => void;
  #holds = 0;
  // A response has been settled, and the code that awaited it has not run yet: what comes next waits here.
  #settling = false;
  #next: unknown;
  #complaints = 0;
  #inputEnded = false;
  #end: Error | undefined;
  #drained: (() => void) | undefined;

  constructor(stream: Stream, routes: Routes, options: ConnectionOptions = {}) {
    this.#stream = stream;
    this.#routes = routes;
    this.#options = options;
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    const receiver: Receiver = {
      frame: (value) => this.#onFrame(value),
      garbage: (problem) => this.#onGarbage(problem),
      ended: (cause) => void this.#onEnd(cause),
    };
    stream.open(receiver);
  }

  /** Resolves, never rejects, when the connection has ended on both sides; the value says why. */
  get closed(): Promise<Error> {
    return this.#closed;
  }

  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  /** Resolves with the decoded result. Rejects with `RpcError` if the peer says no, else with `LocalError`. */
  request(
    method: string,
    params: unknown,
    result: Decoder<unknown> | null,
    options?: RequestOptions,
  ): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    if (this.#inputEnded) return Promise.reject(new LocalError("closed", "the peer can no longer answer"));
    return this.#pending.add(method, result, options, (id) => {
      this.#stream.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Returns nothing while there is room, else a promise for room. Throws `LocalError` if it cannot be sent. */
  notify(method: string, params: unknown): Promise<void> | undefined {
    if (this.#end !== undefined) throw this.#end;
    return this.#stream.send({ jsonrpc: "2.0", method, params });
  }

  /** Stops handling input until the returned function is called. For consumers that cannot keep up. */
  hold(): () => void {
    this.#hold();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#release();
    };
  }

  /** Resolves when all that was sent has left the process. */
  flush(): Promise<void> {
    return this.#stream.flush();
  }

  /** Rejects what is pending, aborts what is being handled, sends what is queued, and ends. Idempotent. */
  async close(cause: Error = new LocalError("closed", "the connection was closed on this side")): Promise<void> {
    if (this.#end !== undefined) {
      await this.#closed;
      return;
    }
    this.#end = cause;
    this.#drained?.();
    this.#pending.rejectAll(cause);
    this.#abortOpen(cause);
    await this.#stream.close();
    this.#resolveClosed(cause);
  }

  // ---- in ----

  /** Never throws: a value that resists being looked at (in memory, getters may throw) is refused like any other. */
  #onFrame(value: unknown): void {
    if (this.#end !== undefined) return;
    try {
      if (typeof value !== "object" || value === null) {
        this.#refuse("a frame must be a JSON object");
        return;
      }
      if (Array.isArray(value)) {
        this.#refuse("JSON-RPC batches are not supported");
        return;
      }
      const { jsonrpc, method, id, params } = value as { [part in "jsonrpc" | "method" | "id" | "params"]?: unknown };
      if (typeof method === "string" && jsonrpc === "2.0") {
        if (this.#settling) {
          this.#next = value;
          this.#hold();
          return;
        }
        this.#complaints = 0;
        if (id === undefined) this.#onNotification(method, params ?? NOTHING);
        else if (isId(id)) this.#onRequest(id, method, params ?? NOTHING);
        else this.#refuse("a request id must be a string or a number");
      } else if (method === undefined && id !== undefined) {
        this.#complaints = 0;
        this.#onResponse(value as ResponseParts);
      } else {
        this.#refuse('expected "jsonrpc": "2.0" with a method, or an id');
      }
    } catch (cause) {
      this.#report({ type: "invalid-frame", message: `a frame could not be read: ${describe(cause)}` });
    }
  }

  #onNotification(method: string, params: unknown): void {
    if (method === "$/cancel_request") {
      this.#onCancel(params);
      return;
    }
    const route = this.#routes.notification(method);
    if (route === undefined) {
      this.#report({ type: "unknown-notification", method, message: `no handler for ${shorten(method)}` });
      return;
    }
    const decoded = route.params(params);
    if (decoded === INVALID) {
      this.#report({ type: "invalid-params", method, message: `${method} was dropped: ${explain()}` });
      return;
    }
    let settling: Promise<unknown> | undefined;
    try {
      settling = toPromise(route.handle(decoded));
    } catch (cause) {
      this.#handlerFailed(method, cause);
      return;
    }
    if (settling !== undefined) this.#unsettled.track(settling, (cause) => this.#handlerFailed(method, cause));
  }

  #onRequest(id: Id, method: string, params: unknown): void {
    const route = this.#routes.request(method);
    const decoded = route === undefined ? INVALID : route.params(params);
    const refusal = this.#refusal(id, method, route, decoded);
    if (route === undefined || refusal !== undefined) {
      this.#respondError(id, method, refusal ?? RpcError.methodNotFound(method));
      return;
    }
    const context = new RequestContext(method, id);
    let outcome: unknown;
    let settling: Promise<unknown> | undefined;
    try {
      outcome = route.handle(decoded, context);
      settling = toPromise(outcome);
    } catch (cause) {
      this.#fail(context, cause);
      return;
    }
    if (settling === undefined) this.#answer(context, outcome);
    else this.#await(context, settling);
  }

  #refusal(id: Id, method: string, route: RequestRoute | undefined, decoded: unknown): RpcError | undefined {
    if (route === undefined) return RpcError.methodNotFound(method);
    if (decoded === INVALID) return RpcError.invalidParams(`Invalid params: ${explain()}`);
    if (this.#open.has(id)) return RpcError.invalidRequest("Invalid request: a request with this id is still open");
    if (this.#open.size < MAX_OPEN_REQUESTS) return undefined;
    return RpcError.internal(`Internal error: ${MAX_OPEN_REQUESTS} requests are open already`);
  }

  #await(context: RequestContext, outcome: Promise<unknown>): void {
    const id = context.requestId;
    this.#open.set(id, context);
    outcome.then(
      (result) => {
        this.#open.delete(id);
        this.#answer(context, result);
        this.#checkDrained();
      },
      (cause) => {
        this.#open.delete(id);
        this.#fail(context, cause);
        this.#checkDrained();
      },
    );
  }

  #onCancel(params: unknown): void {
    const id = (params as { requestId?: unknown }).requestId;
    if (isId(id)) this.#open.get(id)?.cancel(new LocalError("aborted", "the peer cancelled the request"));
  }

  #onResponse(frame: ResponseParts): void {
    const known = this.#pending.settle(frame);
    if (known === "unexpected") {
      const what = frame.id === null ? "an error about a frame it could not read" : "a response nothing waits for";
      this.#report({ type: "unexpected-response", message: `the peer sent ${what}` });
    }
    if (known !== "settled" || this.#settling || !this.#stream.hasMore) return;
    this.#settling = true;
    afterMicrotasks(() => this.#settled());
  }

  #settled(): void {
    this.#settling = false;
    const next = this.#next;
    if (next === undefined) return;
    this.#next = undefined;
    this.#onFrame(next);
    this.#release();
  }

  #onGarbage(problem: Garbage): void {
    if (this.#end !== undefined) return;
    const message = GARBAGE[problem];
    this.#report({ type: "garbage", message });
    this.#complain({ code: problem === "too-long" ? errorCodes.invalidRequest : errorCodes.parseError, message });
  }

  // ---- out ----

  #answer(context: RequestContext, result: unknown): void {
    if (this.#end !== undefined) return;
    try {
      this.#stream.send({ jsonrpc: "2.0", id: context.requestId, result: result === undefined ? NOTHING : result });
    } catch (cause) {
      this.#unsent(context.requestId, context.method, cause);
      return;
    }
    const after = context.takeAfter();
    if (after !== undefined) void this.#runAfter(context.method, after);
  }

  #fail(context: RequestContext, cause: unknown): void {
    const { requestId, method } = context;
    if (cause instanceof RpcError) {
      this.#respondError(requestId, method, cause);
    } else if (context.cancelled) {
      this.#respondError(requestId, method, RpcError.cancelled());
    } else {
      this.#handlerFailed(method, cause);
      this.#respondError(requestId, method, toRpcError(cause));
    }
  }

  #respondError(id: Id, method: string, error: RpcError): void {
    if (this.#end !== undefined) return;
    try {
      this.#stream.send({ jsonrpc: "2.0", id, error: toErrorObject(error) });
    } catch (cause) {
      this.#unsent(id, method, cause);
    }
  }

  /** Every request is answered: with less if need be. A peer that lets answers pile up to the cap is given up. */
  #unsent(id: Id, method: string, cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error(describe(cause));
    if (cause instanceof LocalError && cause.type === "unserialisable") {
      this.#report({ type: "response-replaced", method, message: error.message });
      this.#complain({ code: errorCodes.internalError, message: `Internal error: the answer ${error.message}` }, id);
      return;
    }
    void this.close(error);
  }

  async #runAfter(method: string, after: readonly (() => unknown)[]): Promise<void> {
    await this.#stream.flush();
    if (this.#end !== undefined) return;
    for (const then of after) {
      try {
        await then();
      } catch (cause) {
        this.#handlerFailed(method, cause);
      }
    }
  }

  #tellCancelled(requestId: number): void {
    try {
      this.#stream.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
    } catch {
      // The queue is full or the stream gone: then there is nobody to tell.
    }
  }

  #refuse(message: string): void {
    this.#report({ type: "invalid-frame", message });
    this.#complain({ code: errorCodes.invalidRequest, message: `Invalid request: ${message}` });
  }

  /**
   * Tells the peer about its mistake. Not when it does not even read, and not over and over: a flood of garbage must not
   * become a flood of answers.
   */
  #complain(error: ErrorObject, id: Id = null): void {
    if (id === null && ++this.#complaints > MAX_COMPLAINTS) return;
    try {
      this.#stream.send({ jsonrpc: "2.0", id, error });
    } catch {
      // Overflow or end: nothing that matters is lost.
    }
  }

  // ---- flow ----

  #hold(): void {
    if (this.#holds++ === 0) this.#stream.hold();
  }

  #release(): void {
    if (--this.#holds === 0) this.#stream.release();
  }

  // ---- the end ----

  /** The peer sends nothing more: no answer can come, but our own answers may still be read. */
  async #onEnd(cause: Error | undefined): Promise<void> {
    if (this.#inputEnded || this.#end !== undefined) return;
    this.#inputEnded = true;
    const end = (await this.#stream.explainEnd?.(cause)) ?? endError(cause);
    this.#pending.rejectAll(end);
    this.#abortOpen(end);
    await this.#handlersDone();
    await this.close(end);
  }

  async #handlersDone(): Promise<void> {
    if (this.#open.size === 0 && this.#unsettled.count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.drainMs ?? DRAIN_MS);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #checkDrained(): void {
    if (this.#drained !== undefined && this.#open.size === 0 && this.#unsettled.count === 0) this.#drained();
  }

  #abortOpen(cause: Error): void {
    for (const context of this.#open.values()) context.cancel(cause);
  }

  #handlerFailed(method: string, cause: unknown): void {
    const message = `the handler of ${method} failed: ${describe(cause)}`;
    this.#report({ type: "handler-failed", method, message, cause });
  }

  #report(diagnostic: Diagnostic): void {
    try {
      const logged: unknown = this.#options.onDiagnostic?.(diagnostic);
      void toPromise(logged)?.catch(() => {});
    } catch {
      // A logger that fails must not end the connection.
    }
  }
}

// Params that are absent, and results a handler did not give. Frozen, since handlers are handed it.
const NOTHING = Object.freeze({});

const GARBAGE: Record<Garbage, string> = {
  "not-json": "Parse error: the line is not JSON",
  "not-utf8": "Parse error: the line is not UTF-8",
  "too-long": "Invalid request: the line is longer than this side reads",
};

function endError(cause: Error | undefined): LocalError {
  if (cause === undefined) return new LocalError("closed", "the peer closed the connection");
  return new LocalError("closed", `the connection broke: ${cause.message}`, { cause });
}

function isId(id: unknown): id is Id {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id)) || id === null;
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
