// `fetch` as a session wants it: through its proxy, with its certificates, and not waiting for ever. Nothing is delayed.

import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import type { Dispatcher } from "undici";
import { createTail } from "./answer-end.ts";
import { boundEvents } from "./event-bound.ts";
import { fetchThrough } from "./fetch-through.ts";
import { isEventStream, type ToEvents, toEventStream } from "./plain-answer.ts";
import type { Http } from "./provider.ts";
import { isProxyFailure, ProxyError, proxyFor } from "./proxy.ts";
import { type StallWatch, watchStall } from "./stall.ts";
import { type Reading, watchedBody } from "./watched-body.ts";

export interface FetchHooks {
  /** The body that is sent, instead of the one that was to be sent. */
  readonly rewrite?: ((body: string) => string) | undefined;
  /** Asked once for each answer: what to make of its bytes, chunk by chunk. */
  readonly receive?: (() => Receive) | undefined;
  /** Where answers are streams of events: how they end, and what to make of those that came in one piece. */
  readonly events?: { readonly end: RegExp; readonly fromWhole?: ToEvents | undefined } | undefined;
}

type Receive = (chunk: Uint8Array) => Uint8Array;
type Fetch = typeof globalThis.fetch;
type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The patience of `fetch` itself. */
const FETCH_MS = 300_000;
const SETTLE_MS = 2_000;
/** Of a refusal: the sentence that says why is far shorter. */
const MAX_REFUSAL_BYTES = 1024 * 1024;

/** Rejects with a `StallError` when nothing comes for too long, also while the body is read. */
export function createFetch(http: Http, hooks: FetchHooks = {}): Fetch {
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  const isPatient = Math.max(http.firstByteMs, http.idleMs) >= FETCH_MS;

  async function send(url: string, init: RequestInit): Promise<Response> {
    const proxy = proxyFor(new URL(url), http.env);
    if (proxy === undefined && http.caFile === undefined && !isPatient) return globalThis.fetch(url, init);
    const key = `${url.startsWith("https:")} ${proxy ?? ""}`;
    let dispatcher = dispatchers.get(key);
    if (dispatcher === undefined) {
      dispatcher = createDispatcher(url, proxy, http.caFile);
      dispatchers.set(key, dispatcher);
      dispatcher.catch(() => dispatchers.delete(key));
    }
    const opened = await dispatcher;
    try {
      return await fetchThrough(opened, url, init);
    } catch (cause) {
      throw proxy !== undefined && isProxyFailure(cause) ? new ProxyError(proxy, cause) : cause;
    }
  }

  return (input, init = {}) => {
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    const { body } = init;
    const isRewritten = hooks.rewrite !== undefined && typeof body === "string";
    return watched(send, http, url, isRewritten ? { ...init, body: hooks.rewrite?.(body) } : init, hooks);
  };
}

/** How long is waited is up to the watch over stalls alone. */
async function createDispatcher(url: string, proxy: string | undefined, caFile?: string): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import("undici");
  const tls = caFile === undefined ? {} : { ca: [...rootCertificates, await readFile(caFile, "utf8")] };
  const patience = { headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return new Agent({ ...patience, connect: tls });
  const isTunnel = url.startsWith("https:");
  return new ProxyAgent({ ...patience, uri: proxy, proxyTunnel: isTunnel, requestTls: tls, proxyTls: tls });
}

async function watched(send: Send, http: Http, url: string, init: RequestInit, hooks: FetchHooks): Promise<Response> {
  const signal = init.signal ?? undefined;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const watch = watchStall(http, (stalled) => stop.abort(stalled));
  const end = (): void => {
    watch.end();
    signal?.removeEventListener("abort", onAbort);
  };
  try {
    const response = await follow(send, url, { ...init, signal: stop.signal });
    if (response.body === null) {
      end();
      return response;
    }
    const reading = toReading(response, http, hooks, { watch, stop, end });
    const bytes = watchedBody(response.body, reading);
    const { status, statusText, headers } = response;
    const isPlain = hooks.events !== undefined && response.ok && !isEventStream(headers);
    const body = isPlain ? await toEventStream(bytes, headers, hooks.events?.fromWhole) : bytes;
    return new Response(body, { status, statusText, headers });
  } catch (cause) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : cause;
    end();
    stop.abort();
    throw reason;
  }
}

interface Holding {
  readonly watch: StallWatch;
  readonly stop: AbortController;
  readonly end: () => void;
}

function toReading(response: Response, http: Http, hooks: FetchHooks, holding: Holding): Reading {
  const { settleMs = SETTLE_MS } = http;
  if (!response.ok) return { ...holding, settleMs, tail: createTail(undefined), maxBytes: MAX_REFUSAL_BYTES };
  return {
    ...holding,
    settleMs,
    tail: createTail(hooks.events?.end),
    check: hooks.events === undefined ? undefined : boundEvents(),
    receive: hooks.receive?.(),
  };
}

const MAX_REDIRECTIONS = 5;

/** Only within one origin: keys travel in headers that `fetch` would carry along to anybody. */
async function follow(send: Send, url: string, init: RequestInit): Promise<Response> {
  let at = url;
  for (let hop = 0; ; hop++) {
    const response = await send(at, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel().catch(() => {});
    const next = URL.canParse(location, at) ? new URL(location, at) : undefined;
    const isSame = next?.origin === new URL(at).origin && (response.status === 307 || response.status === 308);
    if (next === undefined || !isSame || hop >= MAX_REDIRECTIONS) throw new RedirectionError(response.status, next);
    at = next.href;
  }
}

class RedirectionError extends Error {
  override readonly name = "RedirectionError";
  /** As if the request had been refused: asking again leads to the same place. */
  readonly statusCode = 400;

  /** Only the host is named: the rest of such an address often holds what nobody else should see. */
  constructor(status: number, to: URL | undefined) {
    const place = to === undefined ? "nowhere" : to.host;
    super(`it redirects (${status}) to ${place}, and keys are not sent there; set the base URL to the right address`);
  }
}
