// What the environment and the settings say about the web: proxies, addresses that are allowed although they are not
// public, and who searches. A search goes where the person's own settings say, so its address is not held to be public.

import { fieldOf } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import { MachineError, type WebQuery } from "../machine/machine.ts";
import { toWebError } from "../machine/web-fault.ts";
import { proxyFor } from "../provider/proxy.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

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

/** How the web is reached from a session with this environment. */
export function webAccess(env: Environment): Pick<WebQuery, "allowedRanges" | "proxyFor"> {
  return {
    allowedRanges: (env.AGENTAO_WEB_FETCH_ALLOW_CIDRS ?? "").split(/[\s,]+/).filter((range) => range !== ""),
    proxyFor: (url) => proxyFor(url, env),
  };
}

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

interface Engine {
  readonly name: string;
  /** What holds its key, or its address. */
  readonly variable: string;
  readonly endpoint: string;
  toRequest(query: string, count: number, key: string): EngineRequest;
  /** Nothing when this is not an answer of such an engine. Throws when it says why there is none. */
  toHits(answer: unknown): readonly unknown[] | undefined;
}

interface EngineRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const HEADERS_MS = 15_000;
const TOTAL_MS = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_QUERY_CHARS = 400;
const MAX_TITLE_CHARS = 200;
const MAX_URL_CHARS = 2_000;
const MAX_SNIPPET_CHARS = 300;

const KEYED: readonly Engine[] = [
  {
    name: "jina",
    variable: "JINA_API_KEY",
    endpoint: "https://s.jina.ai/",
    toRequest: (query, count, key) => ({
      parameters: { q: query, num: String(count) },
      // Titles and descriptions only: the pages themselves are fetched when they are wanted.
      headers: { Authorization: `Bearer ${key}`, "X-Respond-With": "no-content" },
    }),
    toHits: (answer) => list(answer, "data"),
  },
  {
    name: "bocha",
    variable: "BOCHA_API_KEY",
    endpoint: "https://api.bochaai.com/v1/web-search",
    toRequest: (query, count, key) => ({
      headers: { Authorization: `Bearer ${key}` },
      body: { query, count, summary: false, freshness: "noLimit" },
    }),
    toHits(answer) {
      const code = fieldOf(answer, "code");
      // It also says so with status 200.
      if (code !== undefined && String(code) !== "200") throw refusal("bocha", Number(code), this.variable);
      return list(answer, "data", "webPages", "value");
    },
  },
  {
    name: "brave",
    variable: "BRAVE_API_KEY",
    endpoint: "https://api.search.brave.com/res/v1/web/search",
    toRequest: (query, count, key) => ({
      parameters: { q: query, count: String(count), text_decorations: "false" },
      headers: { "X-Subscription-Token": key },
    }),
    // Without any web results, `web` is left out.
    toHits: (answer) => list(answer, "web", "results") ?? (fieldOf(answer, "type") === "search" ? [] : undefined),
  },
  {
    name: "tavily",
    variable: "TAVILY_API_KEY",
    endpoint: "https://api.tavily.com/search",
    toRequest: (query, count, key) => ({
      headers: { Authorization: `Bearer ${key}` },
      body: { query, max_results: count },
    }),
    toHits: (answer) => list(answer, "results"),
  },
];

const SEARXNG: Engine = {
  name: "searxng",
  variable: "webSearch.url",
  endpoint: "",
  toRequest: (query) => ({ parameters: { q: query, format: "json" } }),
  toHits(answer) {
    const hits = list(answer, "results");
    const silent = list(answer, "unresponsive_engines") ?? [];
    if (hits?.length === 0 && silent.length > 0) {
      const names = silent.slice(0, 5).map((one) => String(Array.isArray(one) ? one[0] : one));
      throw new MachineError(
        "failed",
        `searxng has no results because its engines did not answer: ${names.join(", ")}`,
      );
    }
    return hits;
  },
};

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

function refusal(name: string, status: number, variable: string): MachineError {
  return new MachineError("failed", `${name} refused the search (${status}): ${why(name, status, variable)}`);
}

function why(name: string, status: number, variable: string): string {
  if (name === SEARXNG.name && status === 403) return "its settings do not allow the json format";
  if (status === 401 || status === 403) return `the key in ${variable} is not accepted`;
  if (status === 402) return `the account behind ${variable} has no credit left`;
  if (status === 429) return "too many searches in a short time; try again later";
  return status >= 500 ? "it has trouble of its own; try again later" : "it does not understand the request";
}

function toHits(values: readonly unknown[]): readonly SearchHit[] {
  const hits = values.map((value): SearchHit => {
    const url = text(value, "url");
    const snippet = text(value, "description", "snippet", "content", "summary");
    return {
      title: bound(plain(text(value, "title", "name")), MAX_TITLE_CHARS) || url,
      url,
      snippet: bound(plain(snippet), MAX_SNIPPET_CHARS),
    };
  });
  return hits.filter(({ url }) => isWebUrl(url) && url.length <= MAX_URL_CHARS);
}

/** Without the marks and entities that engines put around what was searched for. */
function plain(text: string): string {
  return text
    .slice(0, 10 * MAX_SNIPPET_CHARS)
    .replace(/<\/?(strong|b|em|i|mark|span)(\s[^<>]{0,100})?>/gi, "")
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

function bound(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text
    .slice(0, maxChars - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

function searxngEndpoint(url: string): string {
  const base = new URL(url);
  base.search = "";
  base.pathname = `${base.pathname.replace(/\/+(search\/?)?$/, "")}/search`;
  return base.href;
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function text(value: unknown, ...names: readonly string[]): string {
  const found = names.map((name) => fieldOf(value, name)).find((one) => typeof one === "string" && one.trim() !== "");
  return typeof found === "string" ? found.trim() : "";
}

function list(value: unknown, ...path: readonly string[]): readonly unknown[] | undefined {
  const found = path.reduce(fieldOf, value);
  return Array.isArray(found) ? found : undefined;
}
