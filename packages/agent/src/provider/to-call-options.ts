// A request as the provider libraries take it: prompt, tools, settings, and what each protocol calls caching and thought.

import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelInfo, ModelRequest } from "../model/model.ts";
import { markClaude, markOpenRouter } from "./cache-mark.ts";
import type { Maker } from "./opaque.ts";
import type { Provider } from "./provider.ts";
import type { Quirk } from "./quirk.ts";
import { chatEffort, geminiThought, messagesThought, responsesThought, thinksByBudget } from "./thought.ts";
import { toPrompt } from "./to-prompt.ts";

/** What the request is for. */
export interface Endpoint {
  readonly provider: Provider;
  readonly info: ModelInfo;
  readonly maker: Maker;
}

export type CallOptions = Omit<LanguageModelV3CallOptions, "abortSignal">;

/** Where the model's own limit is not known and the protocol wants one. */
const MAX_OUTPUT_TOKENS = 32_000;

export function toCallOptions(
  request: ModelRequest,
  { provider, info, maker }: Endpoint,
  quirks: ReadonlySet<Quirk>,
): CallOptions {
  const takes = {
    image: info.takes.image && !quirks.has("images"),
    audio: info.takes.audio && !quirks.has("audio"),
    reasoning: !quirks.has("reasoning-content") && !(maker.protocol === "chat" && REFUSE_REASONING.has(provider.id)),
  };
  const prompt = toPrompt(request.system, request.messages, maker, takes);
  const tools = toTools(request);
  if (maker.protocol === "messages") markClaude(prompt, tools);
  if (maker.protocol === "chat" && isOpenRouter(provider) && maker.model.includes("claude")) markOpenRouter(prompt);
  const temperature = takesTemperature(provider, maker, quirks) ? provider.temperature : undefined;
  const maxOutputTokens =
    provider.maxOutputTokens ??
    (maker.protocol === "messages" ? (info.maxOutputTokens ?? MAX_OUTPUT_TOKENS) : undefined);
  const providerOptions = toProviderOptions(request, { provider, info, maker }, prompt, quirks);
  return {
    prompt,
    providerOptions,
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

/** These answer with an error to a message that carries its reasoning. */
const REFUSE_REASONING = new Set(["openai", "mistral", "groq", "cerebras", "xai", "azure"]);

function toTools(request: ModelRequest): LanguageModelV3FunctionTool[] {
  return request.tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }));
}

function takesTemperature(provider: Provider, maker: Maker, quirks: ReadonlySet<Quirk>): boolean {
  if (quirks.has("temperature")) return false;
  // OpenAI's reasoning models; the library knows by itself which of them and of Anthropic's refuse in their own protocols.
  return !(maker.protocol === "chat" && isOpenAi(provider) && /^(o\d|gpt-([5-9]|\d\d))/.test(maker.model));
}

function toProviderOptions(
  request: ModelRequest,
  { provider, info, maker }: Endpoint,
  prompt: LanguageModelV3Prompt,
  quirks: ReadonlySet<Quirk>,
): SharedV3ProviderOptions {
  const level = quirks.has("reasoning-effort") ? undefined : request.thoughtLevel;
  const cacheKey = quirks.has("cache-key") ? undefined : request.cacheKey;
  switch (maker.protocol) {
    case "chat": {
      const effort = chatEffort(level);
      return {
        chat: {
          ...(effort !== undefined && { reasoningEffort: effort }),
          ...(cacheKey !== undefined && isOpenAi(provider) && { prompt_cache_key: toCacheKey(cacheKey) }),
        },
      };
    }
    case "responses":
      return {
        openai: {
          store: false,
          ...(cacheKey !== undefined && { promptCacheKey: toCacheKey(cacheKey) }),
          ...responsesThought(level, info, !quirks.has("reasoning-summary")),
        },
      };
    case "messages":
      return { anthropic: messagesThought(maker.model, level, mayThinkByBudget(maker.model, prompt)) };
    case "gemini":
      return { google: geminiThought(maker.model, level, info) };
  }
}

/** With a budget, Claude refuses to go on after a call that it did not begin with thinking. */
function mayThinkByBudget(model: string, prompt: LanguageModelV3Prompt): boolean {
  if (!thinksByBudget(model)) return false;
  const last = prompt.findLast((message) => message.role === "assistant");
  if (last === undefined || last.content[0]?.type === "reasoning") return true;
  return last.content.every((part) => part.type !== "tool-call");
}

/** OpenAI takes 64 characters. */
function toCacheKey(key: string): string {
  return key.slice(-64);
}

function isOpenAi(provider: Provider): boolean {
  return provider.baseUrl.startsWith("https://api.openai.com/");
}

function isOpenRouter(provider: Provider): boolean {
  return provider.id === "openrouter" || provider.baseUrl.includes("openrouter.ai/");
}
