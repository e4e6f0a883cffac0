import { describe, expect, test } from "vitest";
import { createCatalogue } from "../model/catalogue.ts";
import { scriptedModel } from "../model/scripted.ts";
import { readEnvironment } from "../provider/environment.ts";
import type { Surroundings } from "../provider/surroundings.ts";
import { createModels, type ModelSource } from "./models.ts";

const http = { env: {}, firstByteMs: 1, idleMs: 1 };

const besides = createCatalogue([scriptedModel([], { info: { id: "scripted/demo" } })], {
  open: (id) => (id.endsWith(".json") ? scriptedModel([], { info: { id } }) : undefined),
});

const create = (surroundings: Partial<Surroundings>, more: Partial<ModelSource> = {}) => {
  const { providers, choice } = readEnvironment({ env: {}, ...surroundings });
  return createModels({ providers, chosen: choice?.id, servers: [], besides, http, ...more });
};

const ids = (surroundings: Partial<Surroundings>, more?: Partial<ModelSource>) =>
  create(surroundings, more)
    .list()
    .map(({ id }) => id);

describe("lists", () => {
  test("what needs nobody, where there is nothing else", () => {
    expect(ids({})).toEqual(["scripted/demo"]);
  });

  test("the default first, then good models of those with a key, what needs nobody last", () => {
    expect(ids({ env: { XAI_API_KEY: "k", DEEPSEEK_API_KEY: "k", AGENTAO_MODEL: "xai/grok-9" } })).toEqual([
      "xai/grok-9",
      "deepseek/deepseek-v4-pro",
      "deepseek/deepseek-flash",
      "xai/grok-4.7",
      "xai/grok-4.6",
      "scripted/demo",
    ]);
  });

  test("those that settings name, and no others at another address than the provider's own", () => {
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://proxy.example/v1", OPENAI_MODEL: "a" };
    const providers = { openai: { models: { b: { name: "Bee", windowTokens: 7 } } } };
    const catalogue = create({ env, personal: { source: "/s.json", providers } });
    expect(catalogue.list().map(({ id, name, windowTokens }) => [id, name, windowTokens])).toEqual([
      ["openai/a", "a", 128_000],
      ["openai/b", "Bee", 7],
      ["scripted/demo", expect.any(String), expect.any(Number)],
    ]);
  });

  test("those that a server on this machine reports, with the window it reports", () => {
    const models = [{ name: "qwen3-coder:30b" }, { name: "org/other", windowTokens: 9000 }];
    const servers = [{ id: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models }];
    const listed = create({}, { servers, chosen: "ollama/qwen3-coder:30b" }).list();
    expect(listed.map(({ id, windowTokens }) => [id, windowTokens]).slice(0, 2)).toEqual([
      ["ollama/qwen3-coder:30b", 32_768],
      ["ollama/org/other", 9000],
    ]);
  });

  test("prices at the provider's own address only", () => {
    const env = { OPENAI_API_KEY: "k" };
    expect(create({ env }).find("openai/gpt-6.1-sol")?.info.prices).toBeDefined();
    const elsewhere = { ...env, OPENAI_BASE_URL: "https://proxy.example/v1" };
    expect(create({ env: elsewhere }).find("openai/gpt-6.1-sol")?.info.prices).toBeUndefined();
  });
});

describe("finds", () => {
  const env = { OPENAI_API_KEY: "k", OPENROUTER_API_KEY: "k", GEMINI_API_KEY: "k" };
  test.each<[string, string | undefined, string | undefined]>([
    ["openai/gpt-6.1-sol", undefined, "openai/gpt-6.1-sol"],
    ["OpenAI/gpt-6.1-sol", undefined, "openai/gpt-6.1-sol"],
    ["openai/any-new-name", undefined, "openai/any-new-name"],
    ["any-new-name", "openai/gpt-6.1-sol", "openai/any-new-name"],
    ["any-new-name", undefined, undefined],
    ["GOOGLE/gemini-4-argon", undefined, "gemini/gemini-4-argon"],
    ["openrouter/acme/new", undefined, "openrouter/acme/new"],
    ["acme/new", "openrouter/x", "openrouter/acme/new"],
    ["acme/new", "openai/gpt-6.1-sol", undefined],
    ["anthropic/claude-opus-5-5", undefined, undefined],
    ["anthropic/claude-opus-5-5", "openai/gpt-6.1-sol", undefined],
    ["ollama/qwen3", undefined, "ollama/qwen3"],
    ["lmstudio/org/model", undefined, "lmstudio/org/model"],
    ["scripted/demo", "openai/gpt-6.1-sol", "scripted/demo"],
    ["scripted/a/b.json", undefined, "scripted/a/b.json"],
    ["demo", "scripted/x", "scripted/demo"],
    ["", "openai/gpt-6.1-sol", undefined],
    ["openai/", undefined, undefined],
    [" ", "openai/gpt-6.1-sol", undefined],
  ])("%j from %j: %j", (id, current, found) => {
    expect(create({ env }).find(id, current)?.info.id).toBe(found);
  });

  test("the same model each time, whatever it was called", () => {
    const { find } = create({ env });
    expect(find("Google/gemini-4-argon")).toBe(find("gemini/gemini-4-argon"));
    expect(find("new", "openai/x")).toBe(find("openai/new"));
  });

  test("a chosen provider without its key, whose model says what is missing", async () => {
    const model = create({ env: { LLM_PROVIDER: "anthropic" } }).find("anthropic/claude-sonnet-5-5");
    const events = [];
    const request = { system: "", messages: [], tools: [] };
    for await (const event of model?.stream(request, new AbortController().signal) ?? []) events.push(event);
    expect(events).toEqual([
      { type: "failed", fault: expect.objectContaining({ message: expect.stringContaining("ANTHROPIC_API_KEY") }) },
    ]);
  });
});

test.each(["x".repeat(201), "a\u001b[31m", "a\nb"])("a model cannot be called %j", (name) => {
  expect(create({ env: { OPENAI_API_KEY: "k" } }).find(`openai/${name}`)).toBeUndefined();
});
