// One provider, from all that is said about it. Pure.

import type { ModelFacts } from "../model/known-models.ts";
import { bareUrl, hostOf, isLoopback } from "./address.ts";
import { isKey } from "./key.ts";
import { findKnownProvider, type KnownProvider, variablePrefixes } from "./known-providers.ts";
import type { Protocol, Provider } from "./provider.ts";
import { merge, namedKey, wordsOn } from "./provider-settings.ts";
import {
  type Found,
  findVariable,
  findVariables,
  type ProviderSettings,
  type Surroundings,
  settingsOf,
} from "./surroundings.ts";
import { mayTravel, pair, refusal } from "./travel.ts";

export interface Configured {
  readonly provider: Provider;
  /** The model to begin with, where one is known. */
  readonly model?: string | undefined;
  /** Models that settings name, with what they say of them. */
  readonly models: Readonly<Record<string, ModelFacts>>;
  /** Models that are good, at the provider's own address. */
  readonly known: readonly string[];
  readonly hasSlashes: boolean;
  /** Where the key comes from. */
  readonly key?: Omit<Found, "value"> | undefined;
  /** Where the base URL comes from; nothing for the provider's own. */
  readonly url?: Omit<Found, "value"> | undefined;
}

export interface Configuring {
  /** Nothing where nobody says where it is. */
  readonly configured?: Configured | undefined;
  readonly notices: readonly string[];
}

export function configureProvider(word: string, surroundings: Surroundings): Configuring {
  const known = findKnownProvider(word);
  const id = known?.id ?? word.trim().toLowerCase();
  const prefixes = variablePrefixes(word);
  const notices: string[] = [];
  const settings = settingsOf(surroundings, [...new Set([id, ...(known?.aliases ?? [])])]).map((one) =>
    withBareUrl(one, notices),
  );
  const keyVariables = [...new Set([...(known?.keyVariables ?? []), ...withSuffix(prefixes, "_API_KEY")])];

  const urls = [
    ...findVariables(surroundings, withSuffix(prefixes, "_BASE_URL"))
      .filter((url) => isUrl(url, notices))
      .map((url) => ({ ...url, value: strip(url, notices) })),
    ...wordsOn(settings, ({ baseUrl }) => baseUrl),
  ];
  const keys = [
    ...findVariables(surroundings, keyVariables),
    ...settings.flatMap((found) => settingsKey(found, surroundings, notices)),
  ];
  const { url, key } = pair(urls, keys, (refused, kept) => {
    notices.push(refusal(known?.name ?? id, refused, kept, `${prefixes[0]}_BASE_URL`));
  });
  if (key !== undefined && !isKey(key.value)) notices.push(badKey(key));
  const baseUrl = (url?.value ?? known?.baseUrl)?.replace(/\/+$/, "");
  if (baseUrl === undefined) return { notices };

  const provider = toProvider({ id, word, known, settings, keyVariables, url, key, baseUrl }, notices);
  const isOwn = url === undefined || baseUrl === known?.baseUrl;
  const models = merge(settings, (one) => one.models) ?? {};
  const model = findVariable(surroundings, withSuffix(prefixes, "_MODEL"))?.value;
  const configured: Configured = {
    provider,
    models,
    known: isOwn ? (known?.models ?? []) : [],
    hasSlashes: (known?.hasSlashes ?? true) || !isOwn,
    ...present("model", model ?? Object.keys(models)[0] ?? known?.models[0]),
    ...present("key", key && { origin: key.origin, from: key.from }),
    ...present("url", url && { origin: url.origin, from: url.from }),
  };
  return { configured, notices };
}

interface Materials {
  readonly id: string;
  readonly word: string;
  readonly known: KnownProvider | undefined;
  readonly settings: readonly Found<ProviderSettings>[];
  readonly keyVariables: readonly string[];
  readonly url: Found | undefined;
  readonly key: Found | undefined;
  readonly baseUrl: string;
}

function toProvider(materials: Materials, notices: string[]): Provider {
  const { id, word, known, settings, keyVariables, url, key, baseUrl } = materials;
  const first = <Value>(field: (settings: ProviderSettings) => Value | undefined): Value | undefined =>
    wordsOn(settings, field)[0]?.value;
  const heard = settings.filter(({ origin }) => mayTravel(origin, materials));
  for (const { from, value } of settings.filter((one) => !heard.includes(one))) {
    if ((value.headers ?? value.extraBody) === undefined) continue;
    notices.push(`${from}: headers and extraBody of ${id} are not sent with a key or to an address of somebody else.`);
  }
  // A project that may not choose the address does not choose how it is spoken to either.
  const speaking =
    url?.origin === "project" ? settings : settings.filter(({ value }) => (value.baseUrl ?? url?.value) === url?.value);
  const protocol = wordsOn(speaking, (one) => one.protocol)[0]?.value ?? protocolAt(baseUrl, known);
  return {
    id,
    name: first(({ name }) => name) ?? known?.name ?? word.trim(),
    protocol,
    baseUrl: withVersion(baseUrl, protocol),
    keyVariable: wordsOn(settings, namedKey)[0]?.value ?? keyVariables[0] ?? "",
    needsKey: (known?.needsKey ?? true) && !isLoopback(baseUrl) && !isOpen(url, settings),
    ...present("apiKey", key?.value),
    ...present(
      "headers",
      merge(heard, (one) => one.headers),
    ),
    ...present(
      "extraBody",
      merge(heard, (one) => one.extraBody),
    ),
    ...present(
      "temperature",
      first((one) => one.temperature),
    ),
    ...present(
      "maxOutputTokens",
      first((one) => one.maxOutputTokens),
    ),
  };
}

/** The value is kept, so that whoever is asked says the same; it is never sent. */
function badKey({ from }: Found): string {
  return `The key in ${from} is not used: it has white space in it, or letters that no key has.`;
}

function withBareUrl(found: Found<ProviderSettings>, notices: string[]): Found<ProviderSettings> {
  const { baseUrl } = found.value;
  if (baseUrl === undefined) return found;
  return { ...found, value: { ...found.value, baseUrl: strip({ ...found, value: baseUrl }, notices) } };
}

/** Passwords and tokens in an address would show wherever the address does. */
function strip({ value, from }: Found, notices: string[]): string {
  const bare = bareUrl(value);
  if (bare === value) return value;
  const { username, password } = new URL(value);
  notices.push(
    username + password === ""
      ? `The address in ${from} has a query, which is not used.`
      : `The address in ${from} has a name or a password in it, which is not used: put an Authorization header into the ` +
          "provider's headers in your settings.json.",
  );
  return bare;
}

/** A project's `$VARIABLE` is looked up in the project's `.env` alone. */
function settingsKey(
  { value: { apiKey }, origin, from }: Found<ProviderSettings>,
  surroundings: Surroundings,
  notices: string[],
): Found[] {
  if (apiKey === undefined) return [];
  const name = namedKey({ apiKey });
  if (name === undefined) return [{ value: apiKey, origin, from }];
  const found = findVariables(surroundings, [name]);
  const allowed = origin === "project" ? found.filter((one) => one.origin === "project") : found.slice(0, 1);
  if (allowed.length === 0 && found.length > 0) {
    notices.push(`${from} asks for $${name}, which a project's file only gets from the project's .env.`);
  }
  return allowed;
}

function isUrl({ value, from }: Found, notices: string[]): boolean {
  const fits = /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
  if (!fits) notices.push(`${from} is not an http or https address, so it is not used.`);
  return fits;
}

/** Settings that name an address and no key: it needs none. */
function isOpen(url: Found | undefined, settings: readonly Found<ProviderSettings>[]): boolean {
  return settings.some(
    ({ value, from }) => url?.from === from && value.baseUrl === url.value && value.apiKey === undefined,
  );
}

/** Elsewhere than at OpenAI, only its older protocol is common; Google has an address that speaks it too. */
function protocolAt(baseUrl: string, known: KnownProvider | undefined): Protocol {
  if (known?.protocol === "responses")
    return /(^|\.)api\.openai\.com(:|$)/.test(hostOf(baseUrl)) ? "responses" : "chat";
  if (known?.protocol === "gemini" && /\/(openai|v1)$/.test(baseUrl)) return "chat";
  return known?.protocol ?? "chat";
}

/** Addresses for Anthropic's protocol are usually written without the version. */
function withVersion(baseUrl: string, protocol: Protocol): string {
  return protocol === "messages" && !/\/v\d+$/.test(baseUrl) ? `${baseUrl}/v1` : baseUrl;
}

function withSuffix(prefixes: readonly string[], suffix: string): readonly string[] {
  return prefixes.map((prefix) => `${prefix}${suffix}`);
}

function present<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Field in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Field in Name]?: Value });
}
