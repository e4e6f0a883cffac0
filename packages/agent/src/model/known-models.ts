// What is known of models by their names: how much they read and write, what they take, how they think, what they cost.
// A name that is not known gets values that fail least.

import type { ModelInfo, Prices } from "./model.ts";

export interface ModelFacts {
  readonly name?: string | undefined;
  readonly windowTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly image?: boolean | undefined;
  readonly audio?: boolean | undefined;
  readonly thoughtLevels?: readonly string[] | undefined;
  readonly defaultThoughtLevel?: string | undefined;
  readonly prices?: Prices | undefined;
}

export interface KnownModel extends ModelFacts {
  /** The provider whose prices these are. */
  readonly maker: string;
  readonly windowTokens: number;
}

const DEFAULT_WINDOW = 128_000;
const MILLION = 1_000_000;
const MEBI = 1_048_576;

const GPT_6 = ["none", "low", "medium", "high", "xhigh", "max"];
const GPT_5_6 = ["none", "low", "medium", "high", "xhigh"];
const THREE = ["low", "medium", "high"];
const CLAUDE = ["low", "medium", "high", "xhigh", "max"];
const LOW_HIGH_MAX = ["low", "high", "max"];

/** By the beginning of the name, dots as dashes. The longest that fits counts. Prices of August to November 2026. */
const MODELS: Readonly<Record<string, KnownModel>> = {
  "gpt-6": openai(1_050_000, 128_000, GPT_6, "medium"),
  "gpt-6-astra": openai(1_050_000, 128_000, ["low", "medium", "high", "xhigh", "max"], "medium", [10, 50, 1, 12.5]),
  "gpt-6-sol": openai(1_050_000, 128_000, GPT_6, "medium", [2, 10, 0.2, 2.5]),
  "gpt-6-luna": openai(1_050_000, 128_000, GPT_6, "medium", [0.1, 0.5, 0.01, 0.125]),
  "gpt-6-1-sol": openai(1_050_000, 128_000, ["low", "medium", "high", "xhigh", "max"], "medium", [2, 10, 0.1, 2.5]),
  "gpt-6-1-terra": openai(1_050_000, 128_000, GPT_6, "medium", [1, 5, 0.05, 1.25]),
  "gpt-5-6": openai(1_050_000, 128_000, GPT_5_6, "medium"),
  "gpt-5-6-sol": openai(1_050_000, 128_000, GPT_5_6, "medium", [4, 20, 0.4, 5]),
  "gpt-5-6-terra": openai(1_050_000, 128_000, GPT_5_6, "medium", [2, 12, 0.2, 2.5]),
  "gpt-5-6-luna": openai(1_050_000, 128_000, GPT_5_6, "medium", [0.2, 1.2, 0.02, 0.25]),
  "gpt-5-5": openai(1_050_000, 128_000, GPT_5_6, "medium"),
  "gpt-5-4": openai(1_050_000, 128_000, GPT_5_6, "none"),
  "gpt-5-4-mini": openai(400_000, 128_000, GPT_5_6, "none"),
  "gpt-5-4-nano": openai(400_000, 128_000, GPT_5_6, "none"),
  "gpt-5-3-codex": openai(400_000, 128_000, ["low", "medium", "high", "xhigh"], "medium"),
  "gpt-5-2": openai(400_000, 128_000, GPT_5_6, "none", [1.75, 14, 0.175]),
  "gpt-5-2-codex": openai(400_000, 128_000, ["low", "medium", "high", "xhigh"], "medium", [1.75, 14, 0.175]),
  "gpt-5-1": openai(400_000, 128_000, ["none", "low", "medium", "high"], "none", [1.25, 10, 0.125]),
  "gpt-5-1-codex": openai(400_000, 128_000, THREE, "medium", [1.25, 10, 0.125]),
  "gpt-5": openai(400_000, 128_000, ["minimal", "low", "medium", "high"], "medium", [1.25, 10, 0.125]),
  "gpt-5-codex": openai(400_000, 128_000, THREE, "medium", [1.25, 10, 0.125]),
  "gpt-5-mini": openai(400_000, 128_000, ["minimal", "low", "medium", "high"], "medium", [0.25, 2, 0.025]),
  "gpt-5-nano": openai(400_000, 128_000, ["minimal", "low", "medium", "high"], "medium", [0.05, 0.4, 0.005]),
  "gpt-5-chat": openai(128_000, 16_384),
  "gpt-5-1-chat": openai(128_000, 16_384),
  "gpt-5-2-chat": openai(128_000, 16_384),
  "gpt-5-3-chat": openai(128_000, 16_384),
  "gpt-4-1": openai(1_047_576, 32_768, [], undefined, [2, 8, 0.5]),
  "gpt-4-1-mini": openai(1_047_576, 32_768, [], undefined, [0.4, 1.6, 0.1]),
  "gpt-4-1-nano": openai(1_047_576, 32_768, [], undefined, [0.1, 0.4, 0.025]),
  "gpt-4o": openai(128_000, 16_384, [], undefined, [2.5, 10, 1.25]),
  "gpt-4o-mini": openai(128_000, 16_384, [], undefined, [0.15, 0.6, 0.075]),
  "gpt-3-5-turbo": { maker: "openai", windowTokens: 16_385, maxOutputTokens: 4096, image: false },
  o3: openai(200_000, 100_000, THREE, "medium", [2, 8, 0.5]),
  "o3-mini": { ...openai(200_000, 100_000, THREE, "medium", [1.1, 4.4, 0.55]), image: false },
  "o4-mini": openai(200_000, 100_000, THREE, "medium", [1.1, 4.4, 0.275]),
  o1: openai(200_000, 100_000, THREE, "medium", [15, 60, 7.5]),
  "gpt-oss": open("openai", 131_072, { maxOutputTokens: 65_536, thoughtLevels: THREE, defaultThoughtLevel: "medium" }),

  "claude-fable-5-1": claude(CLAUDE, "high", [10, 50, 0.25, 12.5]),
  "claude-fable-5": claude(CLAUDE, "high", [10, 50, 1, 12.5]),
  "claude-opus-5-5": claude(CLAUDE, "medium", [4, 20, 0.2, 5]),
  "claude-opus-5": claude(CLAUDE, "high", [5, 25, 0.5, 6.25]),
  "claude-sonnet-5-5": claude(CLAUDE, "high", [2, 10, 0.1, 2.5]),
  "claude-sonnet-5": claude(CLAUDE, "high", [2, 10, 0.2, 2.5]),
  // Five times as much for prompts of more than 100,000 tokens.
  "claude-haiku-5-5": claude(CLAUDE, "medium", [0.1, 0.5, 0.01, 0.125]),
  "claude-opus-4-8": claude(CLAUDE, "high", [5, 25, 0.5, 6.25]),
  "claude-opus-4-7": claude(CLAUDE, "high", [5, 25, 0.5, 6.25]),
  "claude-opus-4-6": { ...claude(["low", "medium", "high", "max"], "high", [5, 25, 0.5, 6.25]), windowTokens: 200_000 },
  "claude-sonnet-4-6": {
    ...claude(["low", "medium", "high", "max"], "high", [3, 15, 0.3, 3.75]),
    windowTokens: 200_000,
  },
  "claude-opus-4-5": { ...claude(THREE, "high", [5, 25, 0.5, 6.25]), windowTokens: 200_000, maxOutputTokens: 64_000 },
  "claude-opus-4": { ...claude([], undefined, [15, 75, 1.5, 18.75]), windowTokens: 200_000, maxOutputTokens: 32_000 },
  "claude-sonnet-4": { ...claude([], undefined, [3, 15, 0.3, 3.75]), windowTokens: 200_000, maxOutputTokens: 64_000 },
  "claude-haiku-4-5": { ...claude([], undefined, [1, 5, 0.1, 1.25]), windowTokens: 200_000, maxOutputTokens: 64_000 },
  "claude-3-haiku": { ...claude([], undefined, [0.25, 1.25, 0.03, 0.3]), windowTokens: 200_000, maxOutputTokens: 4096 },
  claude: { ...claude([]), windowTokens: 200_000, maxOutputTokens: undefined },

  "gemini-4-argon": gemini(THREE, "medium", [2, 10, 0.1]),
  "gemini-4": gemini(THREE, "medium"),
  "gemini-3-8-flash": gemini(THREE, "medium", [0.75, 3.75, 0.075]),
  "gemini-3-5-flash-lite": gemini([]),
  "gemini-3-1-pro": gemini(THREE, "high"),
  "gemini-3-pro": gemini(["low", "high"], "high", [2, 12, 0.2]),
  "gemini-3-flash": gemini(["minimal", "low", "medium", "high"], "high", [0.5, 3, 0.05]),
  "gemini-3": gemini([]),
  "gemini-2-5-pro": gemini([], undefined, [1.25, 10, 0.125]),
  "gemini-2-5-flash": gemini([], undefined, [0.3, 2.5, 0.03]),
  "gemini-2-5-flash-lite": gemini([], undefined, [0.1, 0.4, 0.01]),
  "gemini-2-0-flash": { ...gemini([], undefined, [0.1, 0.4, 0.025]), maxOutputTokens: 8192 },
  gemini: gemini([]),
  gemma: open("gemini", 128_000, { maxOutputTokens: 8192, image: true }),

  // Half as much outside the provider's peak hours; these are the peak prices.
  "deepseek-v4-pro": deepseek(MEBI, [1.32, 3.96, 0.044]),
  "deepseek-v4": deepseek(MEBI),
  "deepseek-flash": { ...deepseek(MEBI, [0.3, 1.2, 0.006]), image: true, thoughtLevels: LOW_HIGH_MAX },
  "deepseek-chat": deepseek(MEBI),
  "deepseek-reasoner": deepseek(MEBI),
  "deepseek-coder": open("deepseek", 128_000),
  "deepseek-v3": open("deepseek", 128_000),
  "deepseek-r1": open("deepseek", 128_000),

  "kimi-k3-1-pro": kimi(MEBI, [2, 10, 0.2]),
  "kimi-k3": kimi(MEBI, [3, 15, 0.3]),
  "kimi-k2": { ...open("moonshot", 262_144), image: false },
  "kimi-k2-5": { ...open("moonshot", 262_144), image: true },
  "kimi-k2-6": { ...open("moonshot", 262_144), image: true },
  "kimi-k2-7-code": open("moonshot", 262_144),
  "moonshot-v1-8k": open("moonshot", 8192),
  "moonshot-v1-32k": open("moonshot", 32_768),
  "moonshot-v1": open("moonshot", 131_072),

  // Twice as much for prompts of more than 200,000 tokens.
  "grok-4-7": grok(500_000, ["low", "medium", "high", "xhigh"], "high", [2, 6, 0.5]),
  "grok-4-6": grok(500_000, ["low", "medium", "high", "xhigh"], "high", [2, 6, 0.5]),
  "grok-4-5": grok(500_000, THREE, "high", [2, 6, 0.5]),
  "grok-4-3": grok(MILLION, [], undefined, [1.25, 2.5]),
  "grok-4": grok(256_000),
  "grok-build": grok(256_000, [], undefined, [1, 2]),
  "grok-code": { ...grok(256_000, [], undefined, [0.2, 1.5]), image: false },
  grok: { ...grok(131_072), image: false },

  "mistral-large-4": mistral(256_000, [1.36, 4.18, 0.14], ["none", "high"]),
  "mistral-medium": mistral(256_000, [1.5, 7.5], ["none", "high"]),
  "mistral-large": mistral(256_000),
  "mistral-small": mistral(128_000),
  devstral: { ...mistral(128_000), image: false },
  "devstral-medium": { ...mistral(256_000, [0.4, 2]), image: false },
  codestral: { ...mistral(256_000, [0.3, 0.9]), image: false },

  "glm-5-3": open("zai", MEBI, {
    maxOutputTokens: 131_072,
    prices: toPrices([1.4, 4.4, 0.26]),
    thoughtLevels: LOW_HIGH_MAX,
    defaultThoughtLevel: "max",
  }),
  "glm-5-3-flash": open("zai", MEBI, { maxOutputTokens: 131_072 }),
  "glm-5-2": open("zai", MEBI, { maxOutputTokens: 131_072, prices: toPrices([1.4, 4.4, 0.26]) }),
  "glm-5": open("zai", 200_000, { maxOutputTokens: 131_072 }),
  "glm-4": open("zai", 128_000),
  "glm-4-6": open("zai", 200_000, { maxOutputTokens: 131_072 }),
  "glm-4-7": open("zai", 200_000, { maxOutputTokens: 131_072 }),

  "qwen3-8-max": open("qwen", 262_144, { maxOutputTokens: 65_536 }),
  "qwen3-coder": open("qwen", 262_144, { maxOutputTokens: 65_536 }),
  "qwen3-coder-plus": open("qwen", MILLION, { maxOutputTokens: 65_536, prices: toPrices([1, 5]) }),
  "qwen3-max": open("qwen", 262_144, { maxOutputTokens: 65_536 }),
  "qwen3-8-27b": open("qwen", 131_072, { image: true, maxOutputTokens: 16_384 }),
  "qwen-3-8-27b": open("qwen", 131_072, { image: true, maxOutputTokens: 16_384 }),
  "qwen3-vl": open("qwen", 131_072, { image: true }),
  qwen3: open("qwen", 131_072),
  "qwen2-5": open("qwen", 32_768),
  "qwen2-5-coder": open("qwen", 32_768),
  "llama-4": open("meta", 131_072, { image: true }),
  "llama-3": open("meta", 128_000),
  llama3: open("meta", 128_000),
  "minimax-m2": open("minimax", 196_608),
};

const NAMES = Object.keys(MODELS).sort((a, b) => b.length - a.length);

/** Dated versions, `vendor/name` of routers, `:free`, dots or dashes: all are the same model. */
export function findKnownModel(name: string): KnownModel | undefined {
  const plain = toPlain(name);
  const found =
    NAMES.find((known) => begins(plain, known)) ?? NAMES.find((known) => `-${plain}-`.includes(`-${known}-`));
  return found === undefined ? undefined : MODELS[found];
}

/** All there is to say of a model. What is handed in comes before what is known. */
export function toModelInfo(id: string, facts: ModelFacts = {}): ModelInfo {
  const name = id.slice(id.indexOf("/") + 1);
  const known = findKnownModel(name);
  const thoughtLevels = facts.thoughtLevels ?? known?.thoughtLevels ?? [];
  const wanted = facts.defaultThoughtLevel ?? known?.defaultThoughtLevel;
  const defaultThoughtLevel = wanted !== undefined && thoughtLevels.includes(wanted) ? wanted : undefined;
  const maxOutputTokens = facts.maxOutputTokens ?? known?.maxOutputTokens;
  const prices = facts.prices ?? pricesOf(id, known);
  return {
    id,
    name: facts.name ?? name,
    windowTokens: facts.windowTokens ?? known?.windowTokens ?? DEFAULT_WINDOW,
    // A picture that a model refuses is told as its failure; one that we drop is told to nobody.
    takes: { image: facts.image ?? known?.image ?? true, audio: facts.audio ?? known?.audio ?? false },
    thoughtLevels,
    ...(defaultThoughtLevel !== undefined && { defaultThoughtLevel }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(prices !== undefined && { prices }),
  };
}

/** Prices are those of the maker; who serves the models of others has others. */
function pricesOf(id: string, known: KnownModel | undefined): Prices | undefined {
  const provider = id.slice(0, id.indexOf("/"));
  if (provider === "openrouter") {
    if (id.endsWith(":free")) return { input: 0, output: 0 };
    return known !== undefined && PASSED_ON.includes(known.maker) ? known.prices : undefined;
  }
  return provider === known?.maker ? known.prices : undefined;
}

/** Whose prices the router passes on as they are. */
const PASSED_ON = ["openai", "anthropic", "gemini", "xai"];

function toPlain(name: string): string {
  const last = name.toLowerCase().split("/").pop() ?? "";
  return last
    .replace(/:.*$/, "")
    .replace(/(\d)p(\d)/g, "$1-$2")
    .replace(/[._]/g, "-");
}

function begins(name: string, known: string): boolean {
  return name === known || name.startsWith(`${known}-`);
}

type PriceList = readonly [input: number, output: number, cachedInput?: number, cacheWrite?: number];

function toPrices([input, output, cachedInput, cacheWrite]: PriceList): Prices {
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

function facts(
  maker: string,
  windowTokens: number,
  maxOutputTokens: number | undefined,
  levels: readonly string[],
  level: string | undefined,
  prices: PriceList | undefined,
): KnownModel {
  return {
    maker,
    windowTokens,
    maxOutputTokens,
    image: true,
    thoughtLevels: levels,
    defaultThoughtLevel: level,
    prices: prices && toPrices(prices),
  };
}

function openai(
  windowTokens: number,
  output: number,
  levels: readonly string[] = [],
  level?: string,
  prices?: PriceList,
) {
  return facts("openai", windowTokens, output, levels, level, prices);
}

function claude(levels: readonly string[], level?: string, prices?: PriceList) {
  return facts("anthropic", MILLION, 128_000, levels, level, prices);
}

function gemini(levels: readonly string[], level?: string, prices?: PriceList): KnownModel {
  return { ...facts("gemini", MEBI, 65_536, levels, level, prices), audio: true };
}

function deepseek(windowTokens: number, prices?: PriceList): KnownModel {
  return { ...facts("deepseek", windowTokens, 384_000, ["high", "max"], "high", prices), image: false };
}

function kimi(windowTokens: number, prices?: PriceList) {
  return facts("moonshot", windowTokens, undefined, LOW_HIGH_MAX, "max", prices);
}

function grok(windowTokens: number, levels: readonly string[] = [], level?: string, prices?: PriceList) {
  return facts("xai", windowTokens, undefined, levels, level, prices);
}

function mistral(windowTokens: number, prices?: PriceList, levels: readonly string[] = []) {
  return facts("mistral", windowTokens, undefined, levels, levels[0], prices);
}

function open(maker: string, windowTokens: number, more: ModelFacts = {}): KnownModel {
  return { maker, image: false, ...more, windowTokens };
}
