// `fetch` as a session wants it: through its proxy, with its certificates, and not waiting for ever. Nothing is delayed.

import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import type { Dispatcher } from "undici";
import type { Http } from "./provider.ts";
import { proxyFor } from "./proxy.ts";
import { type StallWatch, watchStall } from "./stall.ts";

export interface FetchHooks {
  /** The body that is sent, instead of the one that was to be sent. */
  readonly rewrite?: ((body: string) => string) | undefined;
  /** Asked once for each answer: what to make of its bytes, chunk by chunk. */
  readonly receive?: (() => Receive) | undefined;
}

type Receive = (chunk: Uint8Array) => Uint8Array;
type Fetch = typeof globalThis.fetch;
type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Rejects with a `StallError` when nothing comes for too long, also while the body is read. */
export function createFetch(http: Http, hooks: FetchHooks = {}): Fetch {
  const dispatchers = new Map<string, Promise<Dispatcher>>();

  async function send(url: string, init: RequestInit): Promise<Response> {
    const proxy = proxyFor(new URL(url), http.env);
    if (proxy === undefined && http.caFile === undefined) return globalThis.fetch(url, init);
    const key = `${url.startsWith("https:")} ${proxy ?? ""}`;
    let dispatcher = dispatchers.get(key);
    if (dispatcher === undefined) {
      dispatcher = createDispatcher(url, proxy, http.caFile);
      dispatchers.set(key, dispatcher);
      dispatcher.catch(() => dispatchers.delete(key));
    }
    const undici = await import("undici");
    const options = { ...init, dispatcher: await dispatcher } as Parameters<typeof undici.fetch>[1];
    return (await undici.fetch(url, options)) as unknown as Response;
  }

  return (input, init = {}) => {
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    const { body } = init;
    const isRewritten = hooks.rewrite !== undefined && typeof body === "string";
    return watched(send, http, url, isRewritten ? { ...init, body: hooks.rewrite?.(body) } : init, hooks.receive);
  };
}

async function createDispatcher(url: string, proxy: string | undefined, caFile?: string): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import("undici");
  const tls = caFile === undefined ? {} : { ca: [...rootCertificates, await readFile(caFile, "utf8")] };
  if (proxy === undefined) return new Agent({ connect: tls });
  const isTunnel = url.startsWith("https:");
  return new ProxyAgent({ uri: proxy, proxyTunnel: isTunnel, requestTls: tls, proxyTls: tls });
}

async function watched(
  send: Send,
  http: Http,
  url: string,
  init: RequestInit,
  receive: FetchHooks["receive"],
): Promise<Response> {
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
    const body = watchedBody(response.body, watch, { end, stop, receive: receive?.() });
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  } catch (cause) {
    end();
    throw stop.signal.aborted ? stop.signal.reason : cause;
  }
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
    if (next === undefined || !isSame || hop >= MAX_REDIRECTIONS) throw new RedirectionError(response.status, location);
    at = next.href;
  }
}

class RedirectionError extends Error {
  override readonly name = "RedirectionError";
  /** As if the request had been refused: asking again leads to the same place. */
  readonly statusCode = 400;

  constructor(status: number, location: string) {
    super(
      `it redirects (${status}) to ${location}, and keys are not sent there; set the base URL to the right address`,
    );
  }
}

interface Reading {
  readonly end: () => void;
  readonly stop: AbortController;
  readonly receive: Receive | undefined;
}

/** Only the time in which a reader waits for bytes counts: a slow reader is no stall. */
function watchedBody(
  body: ReadableStream<Uint8Array>,
  watch: StallWatch,
  reading: Reading,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const { end, stop, receive } = reading;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        watch.wait();
        try {
          const { done, value } = await reader.read();
          watch.arrived();
          if (!done) return controller.enqueue(receive === undefined ? value : receive(value));
          end();
          controller.close();
        } catch (cause) {
          end();
          controller.error(stop.signal.aborted ? stop.signal.reason : cause);
        }
      },
      async cancel(reason) {
        end();
        // Closes the socket: nobody will read what still comes.
        stop.abort(reason);
        await reader.cancel(reason).catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}
