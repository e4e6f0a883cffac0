// A model of a real provider by its id, with what is known of both, for embedders: nothing is looked up elsewhere.

import { type ModelFacts, toModelInfo } from "../model/known-models.ts";
import type { Model } from "../model/model.ts";
import { findKnownProvider } from "./known-providers.ts";
import { lazyModel } from "./lazy-model.ts";
import type { Http, Provider } from "./provider.ts";

/** Facts that are not given are known, where the model is. */
export interface ConnectOptions
  extends ModelFacts,
    Partial<Pick<Provider, "apiKey" | "baseUrl" | "protocol" | "headers" | "temperature" | "extraBody">>,
    Partial<Pick<Http, "caFile" | "firstByteMs" | "idleMs">> {
  /** Proxy variables, as `https_proxy`; none where they are not given. */
  readonly env?: Http["env"] | undefined;
}

const FIRST_BYTE_MS = 180_000;
const IDLE_MS = 120_000;

/**
 * `id` is `provider/model`: one that is known, such as `anthropic/claude-sonnet-5-5`, or any name at all with a `baseUrl`
 * that speaks OpenAI's chat completions, or the `protocol` that is named.
 */
export function connectModel(id: string, options: ConnectOptions = {}): Model {
  const { env = {}, caFile, firstByteMs = FIRST_BYTE_MS, idleMs = IDLE_MS } = options;
  const [word = "", ...names] = id.split("/");
  if (word === "" || names.join("/") === "") throw new TypeError(`A model's id is "provider/model", not "${id}".`);
  const provider = toProvider(word, options);
  const { prices, ...info } = toModelInfo([provider.id, ...names].join("/"), options);
  // Whoever serves the models of others has prices of their own.
  const own = options.prices ?? (options.baseUrl === undefined ? prices : undefined);
  return lazyModel(
    provider,
    { ...info, ...(own && { prices: own }) },
    { env, firstByteMs, idleMs, ...(caFile !== undefined && { caFile }) },
  );
}

function toProvider(word: string, options: ConnectOptions): Provider {
  const known = findKnownProvider(word);
  const baseUrl = options.baseUrl ?? known?.baseUrl;
  if (baseUrl === undefined) throw new TypeError(`The provider "${word}" is not known: name its baseUrl.`);
  const { apiKey, headers, temperature, extraBody, protocol = known?.protocol ?? "chat" } = options;
  return {
    id: known?.id ?? word.toLowerCase(),
    name: known?.name ?? word,
    protocol,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey,
    keyVariable: "apiKey",
    needsKey: known?.needsKey ?? false,
    headers,
    temperature,
    extraBody,
  };
}
