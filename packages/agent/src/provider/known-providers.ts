// Who is known: where each provider is, what it speaks, which variables hold its key, and which of its models are good at
// code. Plain values.

import type { Protocol } from "./provider.ts";

export interface KnownProvider {
  readonly id: string;
  readonly name: string;
  /** Other words for it, in ids of models, in `LLM_PROVIDER`, and in front of `_BASE_URL` and `_MODEL`. */
  readonly aliases: readonly string[];
  readonly protocol: Protocol;
  readonly baseUrl: string;
  /** The first is the one to name where it is missing. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  /** Good for code, the default first. Empty where only the server knows. */
  readonly models: readonly string[];
  /** The names of its models have slashes of their own. */
  readonly hasSlashes: boolean;
}

/** In the order in which they are looked at: the makers of models first, then who serves the models of others. */
export const knownProviders: readonly KnownProvider[] = [
  cloud("openai", "OpenAI", "https://api.openai.com/v1", {
    protocol: "responses",
    models: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-astra", "gpt-6-luna"],
  }),
  cloud("anthropic", "Anthropic", "https://api.anthropic.com/v1", {
    protocol: "messages",
    models: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1", "claude-haiku-5-5"],
  }),
  cloud("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", {
    protocol: "gemini",
    aliases: ["google"],
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    // The default is one that keys without billing can use too.
    models: ["gemini-3.8-flash", "gemini-4-argon", "gemini-3.5-flash-lite"],
  }),
  cloud("deepseek", "DeepSeek", "https://api.deepseek.com", { models: ["deepseek-v4-pro", "deepseek-flash"] }),
  cloud("moonshot", "Moonshot Kimi", "https://api.moonshot.ai/v1", {
    aliases: ["kimi", "moonshotai"],
    keyVariables: ["MOONSHOT_API_KEY", "KIMI_API_KEY"],
    models: ["kimi-k3.1-pro", "kimi-k3", "kimi-k2.7-code"],
  }),
  cloud("xai", "xAI", "https://api.x.ai/v1", { aliases: ["grok"], models: ["grok-4.7", "grok-4.6"] }),
  cloud("mistral", "Mistral", "https://api.mistral.ai/v1", {
    aliases: ["mistralai"],
    models: ["mistral-medium-latest", "mistral-large-4", "codestral-latest"],
  }),
  cloud("zai", "Z.ai GLM", "https://api.z.ai/api/paas/v4", {
    aliases: ["glm", "z-ai", "zhipu"],
    keyVariables: ["ZAI_API_KEY", "GLM_API_KEY", "ZHIPU_API_KEY"],
    models: ["glm-5.3", "glm-5.2"],
  }),
  cloud("qwen", "Alibaba Qwen", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", {
    aliases: ["dashscope", "alibaba"],
    keyVariables: ["DASHSCOPE_API_KEY", "QWEN_API_KEY"],
    models: ["qwen3.8-max", "qwen3-coder-plus"],
  }),
  cloud("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", {
    models: ["anthropic/claude-sonnet-5.5", "openai/gpt-6.1-sol", "z-ai/glm-5.3", "moonshotai/kimi-k3.1-pro"],
    hasSlashes: true,
  }),
  cloud("groq", "Groq", "https://api.groq.com/openai/v1", {
    models: ["openai/gpt-oss-120b", "qwen/qwen3.8-27b"],
    hasSlashes: true,
  }),
  cloud("cerebras", "Cerebras", "https://api.cerebras.ai/v1", { models: ["gpt-oss-120b", "qwen-3.8-27b"] }),
  cloud("together", "Together", "https://api.together.xyz/v1", {
    aliases: ["togetherai"],
    models: ["openai/gpt-oss-120b"],
    hasSlashes: true,
  }),
  cloud("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", {
    models: ["accounts/fireworks/models/kimi-k3", "accounts/fireworks/models/glm-5p3"],
    hasSlashes: true,
  }),
  local("ollama", "Ollama", 11434),
  local("lmstudio", "LM Studio", 1234),
  local("llamacpp", "llama.cpp", 8080),
];

/** By id or alias, in any case. */
export function findKnownProvider(word: string): KnownProvider | undefined {
  const wanted = word.trim().toLowerCase();
  return knownProviders.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}

/** What stands in front of `_BASE_URL` and `_MODEL` for a provider, known or not. */
export function variablePrefixes(word: string): readonly string[] {
  const known = findKnownProvider(word);
  const words = known === undefined ? [word] : [word, known.id, ...known.aliases];
  return [...new Set(words.map(toVariable))];
}

function toVariable(word: string): string {
  return word
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "_");
}

function cloud(
  id: string,
  name: string,
  baseUrl: string,
  more: Partial<KnownProvider> & Pick<KnownProvider, "models">,
): KnownProvider {
  const usual = { protocol: "chat", aliases: [], needsKey: true, hasSlashes: false } as const;
  return { ...usual, id, name, baseUrl, keyVariables: [`${toVariable(id)}_API_KEY`], ...more };
}

function local(id: string, name: string, port: number): KnownProvider {
  return {
    ...cloud(id, name, `http://127.0.0.1:${port}/v1`, { models: [] }),
    needsKey: false,
    hasSlashes: true,
  };
}
