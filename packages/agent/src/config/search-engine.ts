// The engines that can be asked: how each wants the question, where its answer has the hits, and why it may refuse.

import { fieldOf } from "../json/fields.ts";
import { MachineError } from "../machine/machine.ts";

export interface Engine {
  readonly name: string;
  /** What holds its key, or its address. */
  readonly variable: string;
  readonly endpoint: string;
  toRequest(query: string, count: number, key: string): EngineRequest;
  /** Nothing when this is not an answer of such an engine. Throws when it says why there is none. */
  toHits(answer: unknown): readonly unknown[] | undefined;
}

export interface EngineRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** In the order in which they are chosen. */
export const KEYED: readonly Engine[] = [
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

export const SEARXNG: Engine = {
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

export function refusal(name: string, status: number, variable: string): MachineError {
  return new MachineError("failed", `${name} refused the search (${status}): ${why(name, status, variable)}`);
}

function why(name: string, status: number, variable: string): string {
  if (name === SEARXNG.name && status === 403) return "its settings do not allow the json format";
  if (status === 401 || status === 403) return `the key in ${variable} is not accepted`;
  if (status === 402) return `the account behind ${variable} has no credit left`;
  if (status === 429) return "too many searches in a short time; try again later";
  return status >= 500 ? "it has trouble of its own; try again later" : "it does not understand the request";
}

function list(value: unknown, ...path: readonly string[]): readonly unknown[] | undefined {
  const found = path.reduce(fieldOf, value);
  return Array.isArray(found) ? found : undefined;
}
