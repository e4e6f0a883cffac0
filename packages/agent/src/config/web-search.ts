// Who searches the web. A search goes where the person's own settings say, so its address is not held to be public.

import { parseJson } from "../json/parse-json.ts";
import { MachineError } from "../machine/machine.ts";
import { toWebError } from "../machine/web-fault.ts";
import { proxyFor } from "../provider/proxy.ts";
import { type Engine, type EngineRequest, KEYED, refusal, SEARXNG } from "./search-engine.ts";
import { isWebUrl, type SearchHit, toHits } from "./search-hit.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface SearchProvider {
  readonly name: string;
  /** Where queries are sent. */
  readonly endpoint: string;
  /** No hits means that there are none. Throws a `MachineError` for everything else, or the signal's reason. */
  search(query: string, count: number, signal: AbortSignal): Promise<readonly SearchHit[]>;
}

/** `webSearch` of the settings. */
export interface SearchSettings {
  readonly provider?: string | undefined;
  /** Of a SearXNG server, or of what stands in for the provider that is named. */
  readonly url?: string | undefined;
}

export interface SearchSource {
  readonly env: Environment;
  /** Of a project's `.env`: its keys count, what else it says does not. */
  readonly projectEnv?: Environment | undefined;
  /** The person's own: a project does not decide where queries go. */
  readonly settings?: SearchSettings | undefined;
}

const HEADERS_MS = 15_000;
const TOTAL_MS = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_QUERY_CHARS = 400;

/** The one that is named, or the first that has a key; nothing when there is none. */
export function chooseSearch({ env, projectEnv = {}, settings = {} }: SearchSource): SearchProvider | undefined {
  const url = settings.url?.trim() || env.SEARXNG_URL?.trim() || "";
  const wanted = settings.provider?.trim().toLowerCase() || (settings.url === undefined ? undefined : SEARXNG.name);
  const keyed = KEYED.flatMap((engine) => {
    const key = env[engine.variable]?.trim() || projectEnv[engine.variable]?.trim();
    const endpoint = wanted === engine.name ? settings.url?.trim() || engine.endpoint : engine.endpoint;
    return key && isWebUrl(endpoint) ? [toProvider(engine, endpoint, key, env)] : [];
  });
  const all = [...keyed, ...(isWebUrl(url) ? [toProvider(SEARXNG, searxngEndpoint(url), "", env)] : [])];
  return wanted === undefined ? all[0] : all.find(({ name }) => name === wanted);
}

function searxngEndpoint(url: string): string {
  const base = new URL(url);
  base.search = "";
  base.pathname = `${base.pathname.replace(/\/+(search\/?)?$/, "")}/search`;
  return base.href;
}

function toProvider(engine: Engine, endpoint: string, key: string, env: Environment): SearchProvider {
  return {
    name: engine.name,
    endpoint,
    async search(query, count, signal) {
      const late = AbortSignal.timeout(TOTAL_MS);
      try {
        const answer = await ask(engine, endpoint, engine.toRequest(query.slice(0, MAX_QUERY_CHARS), count, key), {
          env,
          signal: AbortSignal.any([signal, late]),
        });
        return toHits(answer).slice(0, count);
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) throw new MachineError("failed", `${engine.name} did not answer within 20 seconds`);
        throw toWebError(error, endpoint);
      }
    },
  };
}

async function ask(
  engine: Engine,
  endpoint: string,
  { parameters = {}, headers = {}, body }: EngineRequest,
  { env, signal }: { readonly env: Environment; readonly signal: AbortSignal },
): Promise<readonly unknown[]> {
  const [{ exchange }, { USER_AGENT }] = await Promise.all([
    import("../machine/web-exchange.ts"),
    import("../machine/web-fetch.ts"),
  ]);
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await exchange(
    {
      url,
      method: text === undefined ? "GET" : "POST",
      proxy: proxyFor(url, env),
      headers: {
        "User-Agent": USER_AGENT,
        Accept: "application/json",
        "Accept-Encoding": "gzip",
        ...(text !== undefined && {
          "Content-Type": "application/json",
          "Content-Length": String(Buffer.byteLength(text)),
        }),
        ...headers,
      },
      body: text,
      headersMs: HEADERS_MS,
      maxBytes: MAX_BYTES,
    },
    signal,
  );
  if (response.status !== 200) throw refusal(engine.name, response.status, engine.variable);
  const hits = engine.toHits(parseJson(response.body.toString("utf8")));
  // An empty page, or one that asks whether somebody is there, is not the same as nothing found.
  if (hits === undefined)
    throw new MachineError("failed", `${engine.name} answered with something that is no search result`);
  return hits;
}
