// `fetch` for sign-ins: through the person's proxy, none of a server's own headers, and nothing waits for ever.

import { createHttpFetch } from "./http-fetch.ts";

const REQUEST_MS = 30_000;

export type AuthFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Its sockets end with the work. */
export async function withAuthFetch<T>(
  { serverUrl, env }: { readonly serverUrl: string; readonly env: Readonly<Record<string, string | undefined>> },
  work: (fetch: AuthFetch) => Promise<T>,
): Promise<T> {
  const { origin } = new URL(serverUrl);
  const http = createHttpFetch({ env, origin, headers: {}, userAgent: "agentao-mcp", onUnreachable: () => {} });
  const fetch: AuthFetch = (url, init = {}) => {
    const late = AbortSignal.timeout(REQUEST_MS);
    return http.fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, late]) : late });
  };
  try {
    return await work(fetch);
  } finally {
    await http.close();
  }
}
