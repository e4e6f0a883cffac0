import { describe, expect, test } from "vitest";
import { knownProviders } from "../provider/known-providers.ts";
import { findKnownModel, toModelInfo } from "./known-models.ts";

test("says all there is to say of a known model", () => {
  expect(toModelInfo("anthropic/claude-opus-5-5")).toEqual({
    id: "anthropic/claude-opus-5-5",
    name: "claude-opus-5-5",
    windowTokens: 1_000_000,
    takes: { image: true, audio: false },
    thoughtLevels: ["low", "medium", "high", "xhigh", "max"],
    defaultThoughtLevel: "medium",
    maxOutputTokens: 128_000,
    prices: { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5 },
  });
});

test("says of an unknown model what fails least", () => {
  expect(toModelInfo("acme/never-heard")).toEqual({
    id: "acme/never-heard",
    name: "never-heard",
    windowTokens: 128_000,
    takes: { image: true, audio: false },
    thoughtLevels: [],
  });
});

describe("knows a model by", () => {
  test.each<[string, string, number]>([
    ["its name", "gpt-6.1-sol", 1_050_000],
    ["a dated name", "gpt-5-2025-08-07", 400_000],
    ["a dated name of Anthropic", "claude-haiku-4-5-20251001", 200_000],
    ["the longest that fits", "claude-opus-5-5-latest", 1_000_000],
    ["capitals", "Claude-Sonnet-5-5", 1_000_000],
    ["dots for dashes", "claude-sonnet-5.5", 1_000_000],
    ["a router's name", "anthropic/claude-sonnet-5.5", 1_000_000],
    ["a router's free model", "z-ai/glm-5.3:free", 1_048_576],
    ["a long path", "accounts/fireworks/models/glm-5p3", 1_048_576],
    ["a vendor in front", "us.anthropic.claude-sonnet-5-5", 1_000_000],
    ["a vendor in front with a dash", "openai-gpt-6-luna", 1_050_000],
    ["a size behind a colon", "gpt-oss:20b", 131_072],
    ["an organisation of its own", "zai-org/GLM-4.6", 200_000],
    ["a short name", "o3", 200_000],
    ["a short name that goes on", "o3-mini", 200_000],
    ["a family", "gemini-9-experimental", 1_048_576],
  ])("%s", (_, name, windowTokens) => {
    expect(findKnownModel(name)?.windowTokens).toBe(windowTokens);
  });

  test.each(["", "o33", "gpt", "gpt-50", "claudette", "my-o3x"])("not by %j", (name) => {
    expect(findKnownModel(name)).toBeUndefined();
  });
});

test("tells versions apart", () => {
  const level = (name: string) => findKnownModel(name)?.defaultThoughtLevel;
  expect([level("claude-opus-5"), level("claude-opus-5-5"), level("claude-opus-5-20260724")]).toEqual([
    "high",
    "medium",
    "high",
  ]);
  expect(findKnownModel("gpt-5.2-codex")?.thoughtLevels).not.toContain("none");
});

test.each<[string, number | undefined]>([
  ["openai/gpt-6.1-sol", 2],
  ["openrouter/openai/gpt-6.1-sol", 2],
  ["openrouter/z-ai/glm-5.3", undefined],
  ["openrouter/acme/x:free", 0],
  ["zai/glm-5.3", 1.4],
  ["fireworks/accounts/fireworks/models/glm-5p3", undefined],
  ["acme/gpt-6.1-sol", undefined],
])("the price of %s is %s", (id, input) => {
  expect(toModelInfo(id).prices?.input).toBe(input);
});

test("what is handed in comes first", () => {
  const facts = {
    name: "Mine",
    windowTokens: 5,
    maxOutputTokens: 1,
    image: false,
    audio: true,
    thoughtLevels: ["a", "b"],
    defaultThoughtLevel: "b",
    prices: { input: 0, output: 0 },
  };
  expect(toModelInfo("openai/gpt-6.1-sol", facts)).toEqual({
    id: "openai/gpt-6.1-sol",
    name: "Mine",
    windowTokens: 5,
    takes: { image: false, audio: true },
    thoughtLevels: ["a", "b"],
    defaultThoughtLevel: "b",
    maxOutputTokens: 1,
    prices: { input: 0, output: 0 },
  });
});

test("a default that is none of the levels is none", () => {
  expect(toModelInfo("openai/gpt-6.1-sol", { thoughtLevels: ["on"] })).not.toHaveProperty("defaultThoughtLevel");
});

test("every model that is offered is known", () => {
  const unknown = knownProviders.flatMap(({ models }) => models.filter((name) => findKnownModel(name) === undefined));
  expect(unknown).toEqual([]);
});
