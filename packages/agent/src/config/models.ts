// The models of one session: of the providers that have a key or need none, by free choice of name, and those a server on
// this machine reports.

import { createCatalogue } from "../model/catalogue.ts";
import { type ModelFacts, toModelInfo } from "../model/known-models.ts";
import type { Model, ModelCatalogue, ModelInfo } from "../model/model.ts";
import type { Configured } from "../provider/configure.ts";
import type { LocalServer } from "../provider/discover.ts";
import { findKnownProvider } from "../provider/known-providers.ts";
import { lazyModel } from "../provider/lazy-model.ts";
import { isModelName } from "../provider/model-name.ts";
import type { Http } from "../provider/provider.ts";

export interface ModelSource {
  readonly providers: readonly Configured[];
  /** Which comes first, as `provider/model`. */
  readonly chosen?: string | undefined;
  readonly servers: readonly LocalServer[];
  /** Models that need nobody. They come last. */
  readonly besides?: ModelCatalogue | undefined;
  readonly http: Http;
}

/** Servers on one's own machine are often set up for far less than their models could read. */
const LOCAL_WINDOW = 32_768;

export function createModels(source: ModelSource): ModelCatalogue {
  const made = new Map<string, Model>();
  const open = (id: string): Model | undefined => openModel(id, source, made) ?? source.besides?.find(id);
  const models = idsOf(source)
    .map(open)
    .filter((model) => model !== undefined);
  return createCatalogue(models, { open });
}

function idsOf({ providers, chosen, servers, besides }: ModelSource): readonly string[] {
  const keyed = providers.filter(({ key }) => key !== undefined);
  return [
    ...(chosen === undefined ? [] : [chosen]),
    ...keyed.flatMap(({ provider, known, model }) => [model, ...known].flatMap((name) => toId(provider.id, name))),
    ...providers.flatMap(({ provider, models }) => Object.keys(models).flatMap((name) => toId(provider.id, name))),
    ...servers.flatMap(({ id, models }) => models.flatMap(({ name }) => toId(id, name))),
    ...(besides?.list() ?? []).map(({ id }) => id),
  ];
}

function toId(provider: string, name: string | undefined): string[] {
  return name === undefined ? [] : [`${provider}/${name}`];
}

/** Any name that the provider could have: only the provider knows its models. */
function openModel(id: string, source: ModelSource, made: Map<string, Model>): Model | undefined {
  const slash = id.indexOf("/");
  const name = id.slice(slash + 1).trim();
  if (slash < 1 || !isModelName(name)) return undefined;
  const word = id.slice(0, slash).trim().toLowerCase();
  const wanted = findKnownProvider(word)?.id ?? word;
  const one = source.providers.find(({ provider }) => provider.id === wanted);
  if (one === undefined || (name.includes("/") && !one.hasSlashes)) return undefined;
  const info = toModelInfo(`${wanted}/${name}`, factsOf(one, name, source.servers));
  const model = made.get(info.id) ?? lazyModel(one.provider, withoutForeignPrices(info, one), source.http);
  if (made.size < MAX_MADE) made.set(info.id, model);
  return model;
}

/** The catalogue keeps the newest of those that were opened; this only keeps two words for one model together. */
const MAX_MADE = 256;

function factsOf({ provider, models }: Configured, name: string, servers: readonly LocalServer[]): ModelFacts {
  const settings = Object.hasOwn(models, name) ? (models[name] ?? {}) : {};
  const served = servers.find(({ id }) => id === provider.id)?.models.find((model) => model.name === name);
  const isLocal = findKnownProvider(provider.id)?.needsKey === false;
  const windowTokens = served?.windowTokens ?? (isLocal ? LOCAL_WINDOW : undefined);
  return {
    ...(windowTokens !== undefined && { windowTokens }),
    ...(provider.maxOutputTokens !== undefined && { maxOutputTokens: provider.maxOutputTokens }),
    ...settings,
  };
}

/** At another address than the provider's own, nobody knows what things cost unless settings say it. */
function withoutForeignPrices(info: ModelInfo, { provider, url, models }: Configured): ModelInfo {
  const name = info.id.slice(info.id.indexOf("/") + 1);
  if (url === undefined || models[name]?.prices !== undefined) return info;
  if (findKnownProvider(provider.id)?.baseUrl === provider.baseUrl) return info;
  const { prices: _, ...rest } = info;
  return rest;
}
