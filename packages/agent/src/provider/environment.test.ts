import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";
import type { Surroundings } from "./surroundings.ts";

const personal = (file: object) => ({ source: "/home/settings.json", providers: {}, ...file });
const project = (file: object) => ({ source: "/project/.agentao/settings.json", providers: {}, ...file });

const read = (surroundings: Partial<Surroundings>) => readEnvironment({ env: {}, ...surroundings });

const provider = (surroundings: Partial<Surroundings>, id: string) =>
  read(surroundings).providers.find((one) => one.provider.id === id)?.provider;

describe("chooses", () => {
  test.each<[string, Partial<Surroundings>, string | undefined]>([
    ["nothing without a key", {}, undefined],
    ["by the key of OpenAI", { env: { OPENAI_API_KEY: "k" } }, "openai/gpt-6.1-sol because OPENAI_API_KEY is set"],
    [
      "by the key of Anthropic",
      { env: { ANTHROPIC_API_KEY: "k" } },
      "anthropic/claude-sonnet-5-5 because ANTHROPIC_API_KEY is set",
    ],
    ["by the key of Gemini", { env: { GEMINI_API_KEY: "k" } }, "gemini/gemini-3.8-flash because GEMINI_API_KEY is set"],
    ["by Google's key", { env: { GOOGLE_API_KEY: "k" } }, "gemini/gemini-3.8-flash because GOOGLE_API_KEY is set"],
    [
      "by Google's long key",
      { env: { GOOGLE_GENERATIVE_AI_API_KEY: "k" } },
      "gemini/gemini-3.8-flash because GOOGLE_GENERATIVE_AI_API_KEY is set",
    ],
    [
      "by the key of DeepSeek",
      { env: { DEEPSEEK_API_KEY: "k" } },
      "deepseek/deepseek-v4-pro because DEEPSEEK_API_KEY is set",
    ],
    [
      "by the key of Moonshot",
      { env: { MOONSHOT_API_KEY: "k" } },
      "moonshot/kimi-k3.1-pro because MOONSHOT_API_KEY is set",
    ],
    ["by the key of Kimi", { env: { KIMI_API_KEY: "k" } }, "moonshot/kimi-k3.1-pro because KIMI_API_KEY is set"],
    ["by the key of Groq", { env: { GROQ_API_KEY: "k" } }, "groq/openai/gpt-oss-120b because GROQ_API_KEY is set"],
    [
      "by the key of Mistral",
      { env: { MISTRAL_API_KEY: "k" } },
      "mistral/mistral-medium-latest because MISTRAL_API_KEY is set",
    ],
    ["by the key of xAI", { env: { XAI_API_KEY: "k" } }, "xai/grok-4.7 because XAI_API_KEY is set"],
    ["by the key of Z.ai", { env: { ZAI_API_KEY: "k" } }, "zai/glm-5.3 because ZAI_API_KEY is set"],
    [
      "by the key of DashScope",
      { env: { DASHSCOPE_API_KEY: "k" } },
      "qwen/qwen3.8-max because DASHSCOPE_API_KEY is set",
    ],
    [
      "by the key of Cerebras",
      { env: { CEREBRAS_API_KEY: "k" } },
      "cerebras/gpt-oss-120b because CEREBRAS_API_KEY is set",
    ],
    [
      "by the key of Together",
      { env: { TOGETHER_API_KEY: "k" } },
      "together/openai/gpt-oss-120b because TOGETHER_API_KEY is set",
    ],
    [
      "by the key of OpenRouter",
      { env: { OPENROUTER_API_KEY: "k" } },
      "openrouter/anthropic/claude-sonnet-5.5 because OPENROUTER_API_KEY is set",
    ],
    [
      "by the key of Fireworks",
      { env: { FIREWORKS_API_KEY: "k" } },
      "fireworks/accounts/fireworks/models/kimi-k3 because FIREWORKS_API_KEY is set",
    ],
    [
      "the first of several keys",
      { env: { GROQ_API_KEY: "k", ANTHROPIC_API_KEY: "k" } },
      "anthropic/claude-sonnet-5-5 because ANTHROPIC_API_KEY is set",
    ],
    ["nothing by a blank key", { env: { OPENAI_API_KEY: "  " } }, undefined],
    ["past a blank key", { env: { OPENAI_API_KEY: "", XAI_API_KEY: "k" } }, "xai/grok-4.7 because XAI_API_KEY is set"],
    ["nothing by a key nobody knows", { env: { MAPS_API_KEY: "k" } }, undefined],
    [
      "by a key of .env",
      { projectEnv: { OPENAI_API_KEY: "k" } },
      "openai/gpt-6.1-sol because OPENAI_API_KEY of .env is set",
    ],
    [
      "by .env where the variable is blank",
      { env: { OPENAI_API_KEY: "" }, projectEnv: { OPENAI_API_KEY: "k" } },
      "openai/gpt-6.1-sol because OPENAI_API_KEY of .env is set",
    ],
    [
      "the model of the provider",
      { env: { OPENAI_API_KEY: "k", OPENAI_MODEL: "gpt-x" } },
      "openai/gpt-x because OPENAI_API_KEY is set",
    ],
    [
      "by LLM_PROVIDER in any case",
      { env: { LLM_PROVIDER: "Anthropic", ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" } },
      "anthropic/claude-sonnet-5-5 because LLM_PROVIDER is Anthropic",
    ],
    [
      "by LLM_PROVIDER under another name",
      { env: { LLM_PROVIDER: "GOOGLE", GOOGLE_API_KEY: "k", GOOGLE_MODEL: "gemini-4-argon" } },
      "gemini/gemini-4-argon because LLM_PROVIDER is GOOGLE",
    ],
    [
      "all three variables of an unknown provider",
      {
        env: {
          LLM_PROVIDER: "ACME",
          ACME_API_KEY: "k",
          ACME_BASE_URL: "https://llm.acme.example/v1/",
          ACME_MODEL: "m1",
        },
      },
      "acme/m1 because LLM_PROVIDER is ACME, at llm.acme.example by ACME_BASE_URL",
    ],
    [
      "an unknown provider without a key, on this machine",
      { env: { LLM_PROVIDER: "vllm", VLLM_BASE_URL: "http://localhost:8000/v1", VLLM_MODEL: "m" } },
      "vllm/m because LLM_PROVIDER is vllm, at localhost:8000 by VLLM_BASE_URL",
    ],
    ["not an unknown provider alone", { env: { LLM_PROVIDER: "ACME" } }, undefined],
    [
      "the first key where LLM_PROVIDER is not known",
      { env: { LLM_PROVIDER: "openia", OPENAI_API_KEY: "k" } },
      "openai/gpt-6.1-sol because OPENAI_API_KEY is set",
    ],
    [
      "LLM_PROVIDER even without its key, rather than another's",
      { env: { LLM_PROVIDER: "anthropic", OPENAI_API_KEY: "k" } },
      "anthropic/claude-sonnet-5-5 because LLM_PROVIDER is anthropic",
    ],
    [
      "a local provider, whose server is asked",
      { env: { LLM_PROVIDER: "ollama" } },
      "ollama/ because LLM_PROVIDER is ollama",
    ],
    [
      "by AGENTAO_MODEL before all",
      { env: { AGENTAO_MODEL: "xai/grok-4.6", XAI_API_KEY: "k", LLM_PROVIDER: "openai", OPENAI_API_KEY: "k" } },
      "xai/grok-4.6 because AGENTAO_MODEL is set",
    ],
    [
      "by AGENTAO_MODEL under another name",
      { env: { AGENTAO_MODEL: "Google/gemini-4-argon", GEMINI_API_KEY: "k" } },
      "gemini/gemini-4-argon because AGENTAO_MODEL is set",
    ],
    [
      "by AGENTAO_MODEL without a provider",
      { env: { AGENTAO_MODEL: "gpt-x", OPENAI_API_KEY: "k" } },
      "openai/gpt-x because AGENTAO_MODEL is set",
    ],
    [
      "by AGENTAO_MODEL with a slash of a router",
      { env: { AGENTAO_MODEL: "acme/big", GROQ_API_KEY: "k" } },
      "groq/acme/big because AGENTAO_MODEL is set",
    ],
    ["a scenario", { env: { AGENTAO_MODEL: "scripted/A/b.json" } }, "scripted/A/b.json because AGENTAO_MODEL is set"],
    [
      "not a model of nobody",
      { env: { AGENTAO_MODEL: "nobody/x", OPENAI_API_KEY: "k" } },
      "openai/gpt-6.1-sol because OPENAI_API_KEY is set",
    ],
    ["not a bare model without a key", { env: { AGENTAO_MODEL: "gpt-x" } }, undefined],
    [
      "by the person's settings before the first key",
      { env: { OPENAI_API_KEY: "k", XAI_API_KEY: "k" }, personal: personal({ model: "xai/grok-4.6" }) },
      "xai/grok-4.6 because /home/settings.json says so",
    ],
    [
      "by the project's settings before the person's",
      {
        env: { OPENAI_API_KEY: "k" },
        personal: personal({ model: "openai/a" }),
        project: project({ model: "openai/b" }),
      },
      "openai/b because /project/.agentao/settings.json says so",
    ],
    [
      "by LLM_PROVIDER the model that settings name of it",
      { env: { LLM_PROVIDER: "openai", OPENAI_API_KEY: "k" }, personal: personal({ model: "OpenAI/a" }) },
      "openai/a because LLM_PROVIDER is openai",
    ],
    [
      "a provider of the person's settings",
      {
        personal: personal({
          providers: { acme: { baseUrl: "https://a.example/v1", apiKey: "k", models: { m: {} } } },
        }),
      },
      "acme/m because /home/settings.json names it, at a.example by /home/settings.json",
    ],
    [
      "an address on this machine without a key",
      { env: { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "m" } },
      "openai/m because OPENAI_BASE_URL is set, at 127.0.0.1:9 by OPENAI_BASE_URL",
    ],
  ])("%s", (_, surroundings, why) => {
    expect(read(surroundings).choice?.why).toBe(why);
  });
});

describe("makes a provider of", () => {
  test("a key alone", () => {
    expect(provider({ env: { OPENAI_API_KEY: " k " } }, "openai")).toEqual({
      id: "openai",
      name: "OpenAI",
      protocol: "responses",
      baseUrl: "https://api.openai.com/v1",
      keyVariable: "OPENAI_API_KEY",
      needsKey: true,
      apiKey: "k",
    });
  });

  test.each([
    ["OPENAI", "https://api.openai.com/v1/", "responses", "https://api.openai.com/v1"],
    ["OPENAI", "https://eu.api.openai.com/v1", "responses", "https://eu.api.openai.com/v1"],
    ["OPENAI", "https://api.openai.com.evil.example/v1", "chat", "https://api.openai.com.evil.example/v1"],
    ["OPENAI", "https://proxy.example/v1//", "chat", "https://proxy.example/v1"],
    ["ANTHROPIC", "https://api.anthropic.com", "messages", "https://api.anthropic.com/v1"],
    ["ANTHROPIC", "https://proxy.example/anthropic/", "messages", "https://proxy.example/anthropic/v1"],
    [
      "GEMINI",
      "https://generativelanguage.googleapis.com/v1beta/openai/",
      "chat",
      "https://generativelanguage.googleapis.com/v1beta/openai",
    ],
    ["GEMINI", "https://proxy.example/v1beta", "gemini", "https://proxy.example/v1beta"],
  ])("the address in %s_BASE_URL: %s speaks %s", (prefix, url, protocol, baseUrl) => {
    const env = { [`${prefix}_API_KEY`]: "k", [`${prefix}_BASE_URL`]: url };
    expect(provider({ env }, prefix.toLowerCase())).toMatchObject({ protocol, baseUrl, apiKey: "k" });
  });

  test("settings, with a key by the name of its variable", () => {
    const providers = {
      acme: {
        name: "Acme",
        protocol: "messages" as const,
        baseUrl: "https://a.example",
        apiKey: "$ACME_SECRET",
        headers: { "x-team": "1" },
        temperature: 0.5,
        maxOutputTokens: 10,
        extraBody: { a: 1 },
      },
    };
    expect(provider({ env: { ACME_SECRET: "s" }, personal: personal({ providers }) }, "acme")).toEqual({
      id: "acme",
      name: "Acme",
      protocol: "messages",
      baseUrl: "https://a.example/v1",
      apiKey: "s",
      keyVariable: "ACME_SECRET",
      needsKey: true,
      headers: { "x-team": "1" },
      temperature: 0.5,
      maxOutputTokens: 10,
      extraBody: { a: 1 },
    });
    expect(provider({ personal: personal({ providers }) }, "acme")).toBeUndefined();
  });

  test("LLM_TEMPERATURE and LLM_MAX_TOKENS for all, LLM_EXTRA_BODY for the chosen one", () => {
    const env = {
      OPENAI_API_KEY: "k",
      XAI_API_KEY: "k",
      LLM_TEMPERATURE: "0",
      LLM_MAX_TOKENS: "99",
      LLM_EXTRA_BODY: '{"a":1}',
    };
    expect(provider({ env }, "openai")).toMatchObject({ temperature: 0, maxOutputTokens: 99, extraBody: { a: 1 } });
    expect(provider({ env }, "xai")).toMatchObject({ temperature: 0, maxOutputTokens: 99 });
    expect(provider({ env }, "xai")).not.toHaveProperty("extraBody");
  });
});

describe("tells", () => {
  test.each<[string, Partial<Surroundings>, readonly string[]]>([
    ["nothing when all is well", { env: { OPENAI_API_KEY: "k", LLM_TEMPERATURE: " " } }, []],
    [
      "that an extra body is no JSON",
      { env: { LLM_EXTRA_BODY: "{secret" } },
      ["LLM_EXTRA_BODY is not a JSON object, so it is not used."],
    ],
    [
      "that an extra body is no object",
      { env: { LLM_EXTRA_BODY: "[1]" } },
      ["LLM_EXTRA_BODY is not a JSON object, so it is not used."],
    ],
    [
      "that a temperature is none",
      { env: { LLM_TEMPERATURE: "hot" } },
      ["LLM_TEMPERATURE is not a number from 0 to 2, so it is not used."],
    ],
    [
      "that a number of tokens is none",
      { env: { LLM_MAX_TOKENS: "1.5" } },
      ["LLM_MAX_TOKENS is not a whole number above 0, so it is not used."],
    ],
    [
      "that an address is none",
      { env: { OPENAI_BASE_URL: "api.openai.com" } },
      ["OPENAI_BASE_URL is not an http or https address, so it is not used."],
    ],
    ["which key is missing", { env: { LLM_PROVIDER: "openai" } }, ["OpenAI needs a key: set OPENAI_API_KEY."]],
    [
      "which key is missing for a model",
      { env: { AGENTAO_MODEL: "xai/grok-4.7" } },
      ["xAI needs a key: set XAI_API_KEY."],
    ],
    [
      "what an unknown provider takes",
      { env: { LLM_PROVIDER: "my-corp" } },
      [
        'LLM_PROVIDER is "my-corp", which is not known here. For an address that speaks OpenAI\'s chat completions, set MY_CORP_API_KEY, MY_CORP_BASE_URL and MY_CORP_MODEL.',
      ],
    ],
    [
      "that a model has no provider",
      { env: { AGENTAO_MODEL: "nobody/x" } },
      ['AGENTAO_MODEL asks for the model "nobody/x", but no provider "nobody" is known. Write it as provider/model.'],
    ],
  ])("%s", (_, surroundings, notices) => {
    expect(read(surroundings).notices).toEqual(notices);
  });

  test("names of keys, and no keys", () => {
    const env = { OPENAI_API_KEY: "sk-one", XAI_API_KEY: "sk-two" };
    const { keys, notices, choice } = read({ env, projectEnv: { GROQ_API_KEY: "sk-three" } });
    expect(keys).toEqual(["OPENAI_API_KEY", "XAI_API_KEY", "GROQ_API_KEY of .env"]);
    expect(JSON.stringify([keys, notices, choice])).not.toContain("sk-");
  });
});

describe("a hostile project", () => {
  const env = { OPENAI_API_KEY: "mine" };
  const evil = "https://evil.example/v1";
  const at = (surroundings: Partial<Surroundings>, id = "openai") => {
    const found = provider(surroundings, id);
    return found && { baseUrl: found.baseUrl, apiKey: found.apiKey };
  };
  const safe = { baseUrl: "https://api.openai.com/v1", apiKey: "mine" };

  test("does not get the key by a base URL in .env, and the person is told how to allow it", () => {
    const surroundings = { env, projectEnv: { OPENAI_BASE_URL: evil } };
    expect(at(surroundings)).toEqual(safe);
    expect(read(surroundings).notices).toEqual([
      "OPENAI_BASE_URL of .env wants OpenAI to be at evil.example. That is not used: your key (OPENAI_API_KEY) does not go " +
        "to an address that a project chose. To allow it, set OPENAI_BASE_URL in your own environment or in your own settings.json.",
    ]);
  });

  test("does not get the key by a base URL in its settings", () => {
    expect(at({ env, project: project({ providers: { openai: { baseUrl: evil } } }) })).toEqual(safe);
  });

  test("does not get a key of the person's settings", () => {
    const providers = { acme: { baseUrl: "https://a.example/v1", apiKey: "mine" } };
    const theirs = project({ providers: { acme: { baseUrl: evil } } });
    expect(at({ personal: personal({ providers }), project: theirs }, "acme")).toEqual({
      baseUrl: "https://a.example/v1",
      apiKey: "mine",
    });
  });

  test("does not get the key under a name of its own", () => {
    const named = { providers: { acme: { baseUrl: evil, apiKey: "$OPENAI_API_KEY", models: { m: {} } } } };
    expect(at({ env, project: project(named) }, "acme")).toBeUndefined();
    expect(read({ env, project: project(named) }).notices).toEqual([
      "/project/.agentao/settings.json asks for $OPENAI_API_KEY, which a project's file only gets from the project's .env.",
    ]);
  });

  test("does not get the key by another word for the provider", () => {
    const mine = { GEMINI_API_KEY: "mine" };
    const theirs = project({ providers: { google: { baseUrl: evil } } });
    expect(at({ env: mine, projectEnv: { GOOGLE_BASE_URL: evil }, project: theirs }, "gemini")).toMatchObject({
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    });
  });

  test("does not get the key of a provider that is not known, by LLM_PROVIDER", () => {
    const surroundings = {
      env: { CORP_API_KEY: "mine" },
      projectEnv: { LLM_PROVIDER: "corp", CORP_BASE_URL: evil, CORP_MODEL: "m" },
    };
    expect(at(surroundings, "corp")).toBeUndefined();
  });

  test("adds neither headers nor a body to requests that carry the person's key", () => {
    const theirs = project({
      providers: { openai: { headers: { "x-forward-to": evil }, extraBody: { api_base: evil } } },
    });
    const surroundings = { env, project: theirs, projectEnv: { LLM_EXTRA_BODY: `{"api_base":"${evil}"}` } };
    expect(JSON.stringify(read(surroundings).providers)).not.toContain("evil");
    expect(read(surroundings).notices).toHaveLength(2);
  });

  test("does not get the person's headers and body at an address of its own, whoever the key is from", () => {
    const mine = { headers: { authorization: "Bearer mine" }, extraBody: { token: "mine" } };
    for (const theirs of [{ ACME_BASE_URL: evil }, { ACME_BASE_URL: evil, ACME_API_KEY: "theirs" }]) {
      const surroundings = {
        env: { LLM_EXTRA_BODY: '{"secret":"mine"}' },
        projectEnv: { ...theirs, LLM_PROVIDER: "acme", ACME_MODEL: "m" },
        personal: personal({ providers: { acme: { baseUrl: "https://a.example/v1", ...mine } } }),
      };
      const acme = provider(surroundings, "acme");
      expect(acme?.baseUrl).toBe(evil);
      expect(JSON.stringify(acme)).not.toContain("mine");
    }
  });

  test("does not add headers where the person's headers are the key", () => {
    const surroundings = {
      personal: personal({
        providers: { acme: { baseUrl: "https://a.example/v1", headers: { authorization: "mine" } } },
      }),
      project: project({ providers: { acme: { headers: { "x-forward-to": evil } } } }),
    };
    expect(provider(surroundings, "acme")?.headers).toEqual({ authorization: "mine" });
  });

  test("does not choose how an address is spoken to that it may not choose", () => {
    const theirs = project({ providers: { openai: { baseUrl: evil, protocol: "messages" } } });
    expect(provider({ env, project: theirs }, "openai")?.protocol).toBe("responses");
  });

  test.each(["http://localhost:8000/v1", "http://127.0.0.1:1/v1", "http://[::1]:1/v1"])("may name %s", (url) => {
    const surroundings = { env, projectEnv: { OPENAI_BASE_URL: url } };
    expect(at(surroundings)).toEqual({ baseUrl: url, apiKey: "mine" });
    expect(read(surroundings).notices).toEqual([
      `OPENAI_BASE_URL of .env sends this conversation to ${new URL(url).host}.`,
    ]);
  });

  test.each([
    "http://localhost.evil.example/v1",
    "http://127.0.0.1.evil.example/v1",
    "http://127.0.0.1@evil.example/v1",
  ])("may not name %s", (url) => {
    expect(at({ env, projectEnv: { OPENAI_BASE_URL: url } })).toEqual(safe);
  });

  test("may bring a key for its own address, and the person is told where words go", () => {
    const surroundings = { env, projectEnv: { OPENAI_BASE_URL: evil, OPENAI_API_KEY: "theirs" } };
    expect(at(surroundings)).toEqual({ baseUrl: evil, apiKey: "theirs" });
    expect(read(surroundings).notices).toEqual(["OPENAI_BASE_URL of .env sends this conversation to evil.example."]);
  });

  test("never gets a key of the person at an address of its own, whatever it writes", () => {
    const words = fc.constantFrom("openai", "OpenAI", "google", "gemini", "acme", "corp");
    const keys = fc.constantFrom(undefined, "$OPENAI_API_KEY", "$GEMINI_API_KEY", "$CORP_API_KEY", "theirs");
    const urls = fc.constantFrom(undefined, evil);
    const names = ["OPENAI_BASE_URL", "GOOGLE_BASE_URL", "CORP_BASE_URL", "ACME_BASE_URL"];
    const theirs = fc.record({
      dotEnv: fc.dictionary(fc.constantFrom(...names), fc.constant(evil)),
      provider: fc.option(words, { nil: undefined }),
      providers: fc.dictionary(
        words.map((word) => word.toLowerCase()),
        fc.record({ baseUrl: urls, apiKey: keys }),
      ),
    });
    const mine = { OPENAI_API_KEY: "mine", GEMINI_API_KEY: "mine", CORP_API_KEY: "mine" };
    fc.assert(
      fc.property(theirs, ({ dotEnv, provider: word, providers }) => {
        const surroundings = {
          env: mine,
          projectEnv: { ...dotEnv, ...(word && { LLM_PROVIDER: word }) },
          personal: personal({ providers: { acme: { baseUrl: "https://a.example", apiKey: "mine" } } }),
          project: project({ providers }),
        };
        const there = readEnvironment(surroundings).providers.filter((one) => one.provider.baseUrl.includes("evil"));
        expect(there.filter((one) => one.provider.apiKey === "mine")).toEqual([]);
      }),
    );
  });
});

test("two projects do not see each other's keys", () => {
  const one = readEnvironment({ env: {}, projectEnv: { OPENAI_API_KEY: "one" } });
  const two = readEnvironment({ env: {}, projectEnv: { XAI_API_KEY: "two" } });
  expect(one.providers.flatMap((each) => each.provider.apiKey ?? [])).toEqual(["one"]);
  expect(two.providers.flatMap((each) => each.provider.apiKey ?? [])).toEqual(["two"]);
});

describe("secrets", () => {
  const secret = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.~%+=:@ \n\u2019"), minLength: 6, maxLength: 40 });

  test("of an address are neither kept in it nor told, whoever wrote it", () => {
    fc.assert(
      fc.property(secret, fc.nat(3), fc.boolean(), (value, place, isFile) => {
        fc.pre(value.trim().length >= 6);
        const written = encodeURIComponent(value);
        const url = [
          `https://${written}:x@a.example/v1`,
          `https://x:${written}@a.example/v1`,
          `https://a.example/v1?sig=${written}`,
          `https://a.example/v1#${written}`,
        ][place] as string;
        const key = { OPENAI_API_KEY: "mine" };
        const found = isFile
          ? read({ env: key, personal: personal({ providers: { openai: { baseUrl: url } } }) })
          : read({ env: { ...key, OPENAI_BASE_URL: url } });
        expect(found.providers[0]?.provider.baseUrl).toBe("https://a.example/v1");
        expect(found.notices).toHaveLength(1);
        expect(JSON.stringify(found)).not.toContain(written);
        expect([...found.notices, found.choice?.why].join()).not.toContain(value);
      }),
    );
  });

  test("in an address are refused in a sentence that says where they stand and what to do", () => {
    const told = (OPENAI_BASE_URL: string) => read({ env: { OPENAI_API_KEY: "mine", OPENAI_BASE_URL } }).notices;
    expect(told("https://bob:hunter2secret@a.example/v1")).toEqual([
      "The address in OPENAI_BASE_URL has a name or a password in it, which is not used: put an Authorization header into the provider's headers in your settings.json.",
    ]);
    expect(told("https://a.example/v1?api-version=1&sig=hunter2secret")).toEqual([
      "The address in OPENAI_BASE_URL has a query, which is not used.",
    ]);
  });

  test.each(["abcdefgh12\nSECRETTAIL99", "sk-abcdefgh\u2019TAILTAIL", "two words here"])(
    "that cannot be a key are told, by the name of their variable: %j",
    (OPENAI_API_KEY) => {
      const { notices, choice } = read({ env: { OPENAI_API_KEY } });
      expect(choice?.id).toMatch(/^openai\//);
      expect(notices).toEqual([
        "The key in OPENAI_API_KEY is not used: it has white space in it, or letters that no key has.",
      ]);
    },
  );
});

test.each([`openai/${"x".repeat(201)}`, "openai/a\u001b[31m", "openai/a\nb"])(
  "a model cannot be called %j",
  (AGENTAO_MODEL) => {
    const { choice, notices } = read({ env: { OPENAI_API_KEY: "k", AGENTAO_MODEL } });
    expect(choice?.id).toBe("openai/gpt-6.1-sol");
    expect(notices).toEqual(["AGENTAO_MODEL asks for a model by a name that is too long, or cannot be shown."]);
  },
);
