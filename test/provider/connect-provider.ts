// The whole agent between an ACP client in memory and a provider on the loopback: what a scenario says is what a real
// provider would have said, and what it sees is what a real client would have seen.

import { type AnyTool, createCatalogue, defineTool, type Model, type ModelInfo } from "@agentao/agent";
import type { Http, Protocol, Provider } from "../../packages/agent/src/provider/provider.ts";
import { providerModel } from "../../packages/agent/src/provider/provider-model.ts";
import { connectScripted, type Scripted, type ScriptedSetup } from "../agent/connect-scripted.ts";
import { type FakeProvider, formats, startFakeProvider } from "./fake-provider.ts";
import type { Reply } from "./script.ts";

export const PROTOCOLS: readonly Protocol[] = ["chat", "responses", "messages", "gemini"];

/** It does not look like a key, so that only who knows it can hide it. */
export const KEY = "quiet-lake-0123456789abcdef";

/** So many tokens fit. */
export const WINDOW = 100_000;

interface Maker {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly keyVariable: string;
}

export const makers: Readonly<Record<Protocol, Maker>> = {
  chat: { id: "local", name: "Local", model: "text", keyVariable: "LOCAL_API_KEY" },
  responses: { id: "openai", name: "OpenAI", model: "gpt-5", keyVariable: "OPENAI_API_KEY" },
  messages: { id: "anthropic", name: "Anthropic", model: "claude-sonnet-4-5", keyVariable: "ANTHROPIC_API_KEY" },
  gemini: { id: "gemini", name: "Gemini", model: "gemini-3-pro-preview", keyVariable: "GEMINI_API_KEY" },
};

export interface ProviderSetup extends ScriptedSetup {
  readonly provider?: Partial<Provider> | undefined;
  readonly info?: Partial<ModelInfo> | undefined;
  readonly http?: Partial<Http> | undefined;
  readonly pieceBytes?: number | undefined;
}

export class Connected implements AsyncDisposable {
  readonly agent: Scripted;
  readonly provider: FakeProvider;

  constructor(agent: Scripted, provider: FakeProvider) {
    this.agent = agent;
    this.provider = provider;
  }

  /** One prompt in a session of its own. */
  async prompt(...[prompt]: readonly [prompt: Parameters<Scripted["prompt"]>[1]]): ReturnType<Scripted["prompt"]> {
    return this.agent.prompt(await this.agent.open(), prompt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.agent[Symbol.asyncDispose]();
    } finally {
      await this.provider[Symbol.asyncDispose]();
    }
  }
}

/** The agent has one tool beside its own: `look_up`, which asks nobody. */
export async function connectProvider(
  protocol: Protocol,
  replies: readonly Reply[],
  { provider: also, info, http, pieceBytes, runtime, ...setup }: ProviderSetup = {},
): Promise<Connected> {
  const provider = await startFakeProvider(replies, { pieceBytes });
  const model = modelAt(provider, protocol, { provider: also, info, http });
  const options = { catalogue: createCatalogue([model]), tools: [lookUpTool()], ...runtime };
  return new Connected(await connectScripted({ ...setup, runtime: options }), provider);
}

/** A model of this protocol at the fake provider. */
export function modelAt(
  { url }: FakeProvider,
  protocol: Protocol,
  { provider, info, http }: Pick<ProviderSetup, "provider" | "info" | "http"> = {},
): Model {
  const { id, name, model, keyVariable } = makers[protocol];
  const baseUrl = `${url}${formats[protocol].base}`;
  return providerModel(
    { id, name, protocol, baseUrl, apiKey: KEY, keyVariable, needsKey: true, ...provider },
    {
      id: `${id}/${model}`,
      name: model,
      windowTokens: WINDOW,
      takes: { image: true, audio: false },
      thoughtLevels: [],
      prices: { input: 2, output: 10, cachedInput: 0.2 },
      ...info,
    },
    { env: {}, firstByteMs: 20_000, idleMs: 20_000, ...http },
  );
}

export const LOOK_UP_SCHEMA = {
  type: "object",
  properties: { word: { type: "string", description: "What to look up." } },
  required: ["word"],
};

export function lookUpTool(): AnyTool {
  return defineTool<{ word: string }>({
    name: "look_up",
    description: "Looks a word up.",
    inputSchema: LOOK_UP_SCHEMA,
    parse: ({ word }) => (typeof word === "string" ? { input: { word } } : { problem: "word must be a string" }),
    plan: ({ word }) => ({
      title: `Look up ${word}`,
      kind: "search",
      locations: [],
      effect: { type: "other", readOnly: true },
    }),
    run: async ({ word }) => ({ told: [{ type: "text", text: `${word} is a word` }] }),
  });
}
