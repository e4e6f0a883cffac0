// `fetch` for one server: through the session's proxy, without limits of its own, with sockets that end when it is closed.

import type { Dispatcher } from "undici";
import { fetchThrough } from "../provider/fetch-through.ts";
import { proxyFor } from "../provider/proxy.ts";

export interface HttpFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Ends what is open. */
  close(): Promise<void>;
}

export interface HttpFetchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  /** Of the server; headers go nowhere else. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The way to the server is gone: nobody answered. Not told for what was aborted. */
  onUnreachable(cause: unknown): void;
}

const CONNECT_MS = 15_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const NEWLINE = 0x0a;

export function createHttpFetch(options: HttpFetchOptions): HttpFetch {
  let opened: Promise<Dispatcher> | undefined;
  let isClosed = false;

  return {
    async fetch(url, init = {}) {
      opened ??= openDispatcher(new URL(url), options.env);
      const dispatcher = await opened;
      if (isClosed) throw new Error("it is closed");
      const request = { ...init, headers: headersOf(new URL(url), init, options) };
      try {
        return boundedResponse(await fetchThrough(dispatcher, url, request));
      } catch (cause) {
        if (init.signal?.aborted !== true && !isClosed) options.onUnreachable(cause);
        throw cause;
      }
    },
    async close() {
      isClosed = true;
      const dispatcher = await opened?.catch(() => undefined);
      await dispatcher?.destroy().catch(() => {});
    },
  };
}

/** Calls may take as long as they may: who calls knows how long. */
async function openDispatcher(url: URL, env: HttpFetchOptions["env"]): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import("undici");
  const patient = { headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyFor(url, env);
  if (proxy === undefined) return new Agent({ ...patient, connect: { timeout: CONNECT_MS } });
  return new ProxyAgent({ ...patient, uri: proxy, proxyTunnel: url.protocol === "https:" });
}

/** What the library says wins over what was configured, or the protocol would break. */
function headersOf(url: URL, init: RequestInit, { headers, origin, userAgent }: HttpFetchOptions): [string, string][] {
  const all = new Headers({ "user-agent": userAgent });
  if (url.origin === origin) for (const [name, value] of Object.entries(headers)) all.set(name, value);
  for (const [name, value] of new Headers(init.headers)) all.set(name, value);
  return [...all];
}

/** A stream of events may last for ever, a line of it not; any other answer is bounded as a whole. */
function boundedResponse(response: Response): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const newline = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
      bytes = newline === -1 ? bytes + chunk.length : chunk.length - newline - 1;
      if (bytes > MAX_ANSWER_BYTES) controller.error(new Error("it answered with more than 32 MB"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
}
