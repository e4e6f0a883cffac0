// Which providers there are and which model to begin with, from variables and settings. Pure.

import { hostOf } from "./address.ts";
import { type Configured, configureProvider } from "./configure.ts";
import { findKnownProvider, knownProviders, variablePrefixes } from "./known-providers.ts";
import { isModelName } from "./model-name.ts";
import type { Provider } from "./provider.ts";
import { type Found, findVariable, findVariables, type Surroundings } from "./surroundings.ts";
import { mayTravel } from "./travel.ts";

export interface ModelChoice {
  /** `provider/model`; only the provider and a slash where its server has to be asked for its models. */
  readonly id: string;
  /** "OPENAI_API_KEY is set". */
  readonly because: string;
  /** One line: "openai/gpt because OPENAI_API_KEY is set". */
  readonly why: string;
}

export interface ModelEnvironment {
  /** Those with a key, those that need none, and the chosen one. */
  readonly providers: readonly Configured[];
  /** Nothing where there is no key and nobody chose. */
  readonly choice?: ModelChoice | undefined;
  /** Names of the variables and files that hold keys. */
  readonly keys: readonly string[];
  readonly notices: readonly string[];
}

/** What chose, in this order: `AGENTAO_MODEL`, `LLM_PROVIDER`, the project's settings, the person's, the first key. */
export function readEnvironment(surroundings: Surroundings): ModelEnvironment {
  const notices: string[] = [];
  const configured = configureAll(surroundings, notices);
  const choice = choose(surroundings, configured, notices);
  const chosen = choice?.id.slice(0, choice.id.indexOf("/"));
  const general = readGeneral(surroundings, notices);
  const providers = [...configured.values()]
    .filter(({ provider }) => isUsable(provider) || provider.id === chosen)
    .map((one) => ({ ...one, provider: withGeneral(one, general, one.provider.id === chosen, notices) }));
  return {
    providers,
    keys: [...new Set([...configured.values()].flatMap(({ key }) => key?.from ?? []))],
    notices: [...new Set(notices)],
    ...(choice !== undefined && { choice }),
  };
}

function isUsable({ apiKey, needsKey }: Provider): boolean {
  return apiKey !== undefined || !needsKey;
}

function configureAll(surroundings: Surroundings, notices: string[]): ReadonlyMap<string, Configured> {
  const wanted = findVariable(surroundings, ["LLM_PROVIDER"])?.value;
  const named = [surroundings.project, surroundings.personal].flatMap((file) => Object.keys(file?.providers ?? {}));
  const words = [...knownProviders.map(({ id }) => id), ...named, ...(wanted === undefined ? [] : [wanted])];
  const all = new Map<string, Configured>();
  for (const word of words) {
    if (all.has(toId(word))) continue;
    const { configured, notices: told } = configureProvider(word, surroundings);
    notices.push(...told);
    if (configured !== undefined) all.set(configured.provider.id, configured);
  }
  return all;
}

type Configureds = ReadonlyMap<string, Configured>;

function choose(surroundings: Surroundings, all: Configureds, notices: string[]): ModelChoice | undefined {
  const wish =
    named(findVariable(surroundings, ["AGENTAO_MODEL"]), surroundings, all, notices) ??
    byProvider(surroundings, all, notices) ??
    bySettings(surroundings, all, notices) ??
    byKey(all);
  if (wish === undefined) return undefined;
  const one = all.get(wish.id.slice(0, wish.id.indexOf("/")));
  if (one !== undefined && !isUsable(one.provider)) {
    notices.push(`${one.provider.name} needs a key: set ${one.provider.keyVariable}.`);
  }
  // On this machine too: somebody listens there, and gets the key.
  if (one?.url?.origin === "project") {
    notices.push(`${one.url.from} sends this conversation to ${hostOf(one.provider.baseUrl)}.`);
  }
  const place = one?.url === undefined ? "" : `, at ${hostOf(one.provider.baseUrl)} by ${one.url.from}`;
  const because = `${wish.because}${place}`;
  return { id: wish.id, because, why: `${wish.id} because ${because}` };
}

type Wish = Pick<ModelChoice, "id" | "because">;

/** A bare name is one of the provider that would be chosen without it. */
function named(
  wish: Found | undefined,
  surroundings: Surroundings,
  all: Configureds,
  notices: string[],
): Wish | undefined {
  if (wish === undefined) return undefined;
  if (!isModelName(wish.value)) {
    notices.push(`${wish.from} asks for a model by a name that is too long, or cannot be shown.`);
    return undefined;
  }
  const because = wish.from.includes(".json") ? `${wish.from} says so` : `${wish.from} is set`;
  const slash = wish.value.indexOf("/");
  const word = wish.value.slice(0, Math.max(slash, 0));
  if (word.toLowerCase() === "scripted") return { id: `scripted${wish.value.slice(slash)}`, because };
  if (slash > 0 && all.has(toId(word))) return { id: `${toId(word)}${wish.value.slice(slash)}`, because };
  const other = byProvider(surroundings, all, []) ?? byKey(all);
  const provider = other === undefined ? undefined : all.get(other.id.slice(0, other.id.indexOf("/")));
  if (provider !== undefined && (slash < 0 || hasModel(provider, wish.value))) {
    return { id: `${provider.provider.id}/${wish.value}`, because };
  }
  const missing = slash < 0 ? "it names no provider, and there is no key" : `no provider "${word}" is known`;
  notices.push(`${wish.from} asks for the model "${wish.value}", but ${missing}. Write it as provider/model.`);
  return undefined;
}

/** A misspelt provider must not lead to another one: a name with a slash has to be known there, or of a router. */
function hasModel({ provider, model, models, known }: Configured, name: string): boolean {
  if (findKnownProvider(provider.id)?.hasSlashes === true) return true;
  return model === name || Object.hasOwn(models, name) || known.includes(name);
}

function byProvider(surroundings: Surroundings, all: Configureds, notices: string[]): Wish | undefined {
  const wanted = findVariable(surroundings, ["LLM_PROVIDER"]);
  if (wanted === undefined) return undefined;
  const one = all.get(toId(wanted.value));
  const prefixes = variablePrefixes(wanted.value);
  if (one === undefined || (one.model === undefined && one.provider.needsKey)) {
    notices.push(
      `${wanted.from} is "${wanted.value}", which is not known here. For an address that speaks OpenAI's chat ` +
        `completions, set ${prefixes[0]}_API_KEY, ${prefixes[0]}_BASE_URL and ${prefixes[0]}_MODEL.`,
    );
    return undefined;
  }
  const variables = prefixes.map((prefix) => `${prefix}_MODEL`);
  const asked = findVariable(surroundings, variables)?.value ?? settingsModelOf(one.provider.id, surroundings);
  const id = `${one.provider.id}/${asked ?? one.model ?? ""}`;
  return { id, because: `${wanted.from} is ${wanted.value}` };
}

/** The model that settings name, if it is one of this provider. */
function settingsModelOf(id: string, { project, personal }: Surroundings): string | undefined {
  const model = [project?.model, personal?.model].find(
    (name) => name?.includes("/") && toId(name.split("/", 1)[0] ?? "") === id,
  );
  return model?.slice(model.indexOf("/") + 1);
}

function bySettings(surroundings: Surroundings, all: Configureds, notices: string[]): Wish | undefined {
  for (const [file, origin] of [
    [surroundings.project, "project"] as const,
    [surroundings.personal, "person"] as const,
  ]) {
    if (file?.model === undefined) continue;
    const wish = named({ value: file.model, origin, from: file.source }, surroundings, all, notices);
    if (wish !== undefined) return wish;
  }
  return undefined;
}

/** The first that has a key; else the first that somebody gave an address and that needs none. */
function byKey(all: Configureds): Wish | undefined {
  const withKey = [...all.values()].find(({ key, model }) => key !== undefined && model !== undefined);
  if (withKey !== undefined) return { id: idOf(withKey), because: `${withKey.key?.from} ${holds(withKey.key?.from)}` };
  const open = [...all.values()].find(({ url, provider }) => url !== undefined && !provider.needsKey);
  return open === undefined ? undefined : { id: idOf(open), because: `${open.url?.from} ${holds(open.url?.from)}` };
}

function holds(from = ""): string {
  return from.includes(".json") ? "names it" : "is set";
}

function idOf({ provider, model = "" }: Configured): string {
  return `${provider.id}/${model}`;
}

function toId(word: string): string {
  return findKnownProvider(word)?.id ?? word.trim().toLowerCase();
}

interface General {
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly extraBody?: Found<Readonly<Record<string, unknown>>> | undefined;
}

function readGeneral(surroundings: Surroundings, notices: string[]): General {
  const number = (name: string, fits: (value: number) => boolean, wanted: string): number | undefined => {
    const found = findVariable(surroundings, [name]);
    if (found === undefined) return undefined;
    const value = Number(found.value);
    if (fits(value)) return value;
    notices.push(`${found.from} is not ${wanted}, so it is not used.`);
    return undefined;
  };
  return {
    temperature: number("LLM_TEMPERATURE", (value) => value >= 0 && value <= 2, "a number from 0 to 2"),
    maxOutputTokens: number(
      "LLM_MAX_TOKENS",
      (value) => Number.isInteger(value) && value > 0,
      "a whole number above 0",
    ),
    extraBody: readExtraBody(surroundings, notices),
  };
}

function readExtraBody(surroundings: Surroundings, notices: string[]): General["extraBody"] {
  const found = findVariables(surroundings, ["LLM_EXTRA_BODY"])[0];
  if (found === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(found.value);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...found, value: { ...value } };
  } catch {
    // Told below: the message of the parser would quote the value.
  }
  notices.push(`${found.from} is not a JSON object, so it is not used.`);
  return undefined;
}

/** The extra body is for the chosen provider: others would not understand it. */
function withGeneral(one: Configured, general: General, isChosen: boolean, notices: string[]): Provider {
  const { provider, key, url } = one;
  const { temperature, maxOutputTokens, extraBody } = general;
  const mayAdd =
    extraBody !== undefined && isChosen && mayTravel(extraBody.origin, { key, url, baseUrl: provider.baseUrl });
  if (extraBody !== undefined && isChosen && !mayAdd) {
    notices.push(`${extraBody.from} is not sent with a key or to an address of somebody else.`);
  }
  return {
    ...provider,
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(mayAdd && { extraBody: { ...provider.extraBody, ...extraBody.value } }),
  };
}
