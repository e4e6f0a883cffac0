// Requests of ours that wait for their answer: ids, timeouts, aborts, and what an answer turns into.

import { type Decoder, explain, INVALID } from "../decode/decode.ts";
import { LocalError } from "../error/local-error.ts";
import { RpcError } from "../error/rpc-error.ts";

export interface RequestOptions {
  /** Cancels the request: the peer is told by `$/cancel_request`. */
  readonly signal?: AbortSignal | undefined;
  /** After the signal fired: `reject` at once (the default), or `wait` for the peer's answer, which may be a result. */
  readonly onAbort?: "reject" | "wait" | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The parts of a response frame, unchecked. */
export interface ResponseParts {
  readonly id: unknown;
  readonly jsonrpc?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Pending {
  readonly method: string;
  readonly result: Decoder<unknown> | null;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly stop: (() => void) | undefined;
}

/** How many requests we gave up are remembered, so that their late answers surprise nobody. */
const MAX_WITHDRAWN = 1024;

export class PendingRequests {
  readonly #pending = new Map<number, Pending>();
  readonly #withdrawn = new Set<number>();
  readonly #tellCancelled: (id: number) => void;
  #nextId = 0;

  constructor(tellCancelled: (id: number) => void) {
    this.#tellCancelled = tellCancelled;
  }

  /** `send` runs first: when it throws, the promise rejects with that and nothing is pending. */
  add(
    method: string,
    result: Decoder<unknown> | null,
    options: RequestOptions | undefined,
    send: (id: number) => void,
  ): Promise<unknown> {
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(abortedError(method, signal));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      send(id);
      const stop = options === undefined ? undefined : this.#guard(id, method, options);
      this.#pending.set(id, { method, result, resolve, reject, stop });
    });
  }

  /** Whether somebody waited for this response, or had given up waiting, or nobody ever asked. */
  settle(frame: ResponseParts): "settled" | "late" | "unexpected" {
    const id = toOwnId(frame.id);
    if (id === undefined) return "unexpected";
    const pending = this.#take(id);
    if (pending === undefined) return this.#withdrawn.delete(id) ? "late" : "unexpected";
    settle(pending, frame);
    return "settled";
  }

  rejectAll(cause: Error): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(cause);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    pending.stop?.();
    return pending;
  }

  #withdraw(id: number, cause: Error): void {
    const [oldest] = this.#withdrawn;
    if (this.#withdrawn.size >= MAX_WITHDRAWN && oldest !== undefined) this.#withdrawn.delete(oldest);
    this.#withdrawn.add(id);
    this.#take(id)?.reject(cause);
  }

  /** Arms the timeout and the signal; the returned function disarms both. */
  #guard(id: number, method: string, { signal, onAbort, timeoutMs }: RequestOptions): () => void {
    const abort = (): void => {
      this.#tellCancelled(id);
      if (onAbort !== "wait") this.#withdraw(id, abortedError(method, signal));
    };
    const expire = (): void => {
      this.#tellCancelled(id);
      this.#withdraw(id, new LocalError("timeout", `${method} was not answered within ${timeoutMs} ms`));
    };
    const timer = startTimer(expire, timeoutMs);
    const unheard = signal && onceAborted(signal, abort);
    return () => {
      clearTimeout(timer);
      unheard?.();
    };
  }
}

function settle({ method, result, resolve, reject }: Pending, frame: ResponseParts): void {
  // Some libraries send `"error": null` beside a result, or `"result": null` beside an error.
  const hasError = frame.error !== undefined && frame.error !== null;
  const hasResult = "result" in frame && !(hasError && frame.result === null);
  if (hasError === hasResult || frame.jsonrpc !== "2.0") {
    reject(new LocalError("invalid-response", `the answer to ${method} must hold either a result or an error`));
    return;
  }
  if (hasError) {
    reject(readError(method, frame.error));
    return;
  }
  let decoded: unknown;
  try {
    decoded = result === null ? frame.result : result(frame.result);
  } catch (cause) {
    reject(new LocalError("invalid-response", `the answer to ${method} cannot be read`, { cause }));
    return;
  }
  if (decoded === INVALID) {
    reject(new LocalError("invalid-response", `the answer to ${method} does not fit: ${explain()}`));
  } else {
    resolve(decoded);
  }
}

function readError(method: string, error: unknown): Error {
  if (typeof error === "object" && error !== null) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    if (Number.isInteger(code) && typeof message === "string") return new RpcError(code as number, message, data);
  }
  return new LocalError("invalid-response", `the answer to ${method} holds a malformed error`);
}

/** The longest a timer can run; beyond it, there is none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function startTimer(expire: () => void, ms: number | undefined): ReturnType<typeof setTimeout> | undefined {
  if (ms === undefined || ms > MAX_TIMER_MS) return undefined;
  return setTimeout(expire, Math.max(0, ms));
}

// One listener per signal, however many requests hang on it: a turn's signal guards everything the turn asks for.
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function onceAborted(signal: AbortSignal, run: () => void): () => void {
  const known = waiting.get(signal);
  const runs = known ?? new Set();
  runs.add(run);
  if (known === undefined) {
    waiting.set(signal, runs);
    const abort = (): void => {
      waiting.delete(signal);
      for (const one of [...runs]) one();
    };
    signal.addEventListener("abort", abort, { once: true });
  }
  return () => void runs.delete(run);
}

function abortedError(method: string, signal: AbortSignal | undefined): LocalError {
  return new LocalError("aborted", `${method} was aborted`, { cause: signal?.reason });
}

/** Our ids are numbers; a peer that answers `"7"` to 7 means it. */
function toOwnId(id: unknown): number | undefined {
  if (typeof id === "number") return id;
  if (typeof id === "string" && /^\d{1,15}$/.test(id)) return Number(id);
  return undefined;
}
