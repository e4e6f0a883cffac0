// `fetch` for one server: through the session's proxy, without limits of its own, with sockets that end when it is closed.

import type { Agent, Dispatcher } from "undici";
import { proxyFor } from "../provider/proxy.ts";

export interface HttpFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Ends what is open. */
  close(): Promise<void>;
}

export interface HttpFetchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The way to the server is gone: nobody answered. Not told for what was aborted. */
  onUnreachable(cause: unknown): void;
}

const CONNECT_MS = 15_000;

export function createHttpFetch(options: HttpFetchOptions): HttpFetch {
  let opened: Promise<Dispatcher> | undefined;
  let isClosed = false;

  return {
    async fetch(url, init = {}) {
      const undici = await import("undici");
      opened ??= openDispatcher(undici, new URL(url), options.env);
      const dispatcher = await opened;
      if (isClosed) throw new Error("it is closed");
      const request = { ...init, headers: headersOf(init, options), dispatcher };
      try {
        return (await undici.fetch(url, request as Parameters<typeof undici.fetch>[1])) as unknown as Response;
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
async function openDispatcher(
  undici: typeof import("undici"),
  url: URL,
  env: HttpFetchOptions["env"],
): Promise<Dispatcher> {
  const patient = { headersTimeout: 0, bodyTimeout: 0 } satisfies Agent.Options;
  const proxy = proxyFor(url, env);
  if (proxy === undefined) return new undici.Agent({ ...patient, connect: { timeout: CONNECT_MS } });
  return new undici.ProxyAgent({ ...patient, uri: proxy, proxyTunnel: url.protocol === "https:" });
}

/** What the library says wins over what was configured, or the protocol would break. */
function headersOf(init: RequestInit, { headers, userAgent }: HttpFetchOptions): [string, string][] {
  const all = new Headers({ "user-agent": userAgent });
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  for (const [name, value] of new Headers(init.headers)) all.set(name, value);
  return [...all];
}
