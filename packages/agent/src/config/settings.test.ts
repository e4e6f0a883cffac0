import { describe, expect, test } from "vitest";
import { parseSettings } from "./settings.ts";

const read = (value: unknown) => parseSettings(JSON.stringify(value), "/home/settings.json");

test("reads everything it knows", () => {
  const { settings, problems } = read({
    model: "acme/big",
    mode: "read-only",
    providers: {
      Acme: {
        name: "Acme",
        protocol: "chat",
        baseUrl: "https://a.example/v1",
        apiKey: "$KEY",
        headers: { "x-a": "1" },
        models: {
          big: {
            name: "Big",
            window: 1000,
            output: 100,
            image: false,
            audio: true,
            thoughtLevels: ["low", "high"],
            thoughtLevel: "high",
            prices: { input: 1, output: 2, cachedInput: 0, cacheWrite: 3 },
          },
          old: { contextLength: 10, maxTokens: 5 },
        },
        temperature: 0,
        maxTokens: 50,
        extraBody: { a: [1] },
      },
      list: { models: ["one", "two"] },
    },
    context: { compactAt: 0.8 },
    stallSeconds: 1.5,
    firstByteSeconds: 30,
    caFile: "ca.pem",
  });
  expect(problems).toEqual([]);
  expect(settings).toEqual({
    model: "acme/big",
    mode: "read-only",
    providers: {
      acme: {
        name: "Acme",
        protocol: "chat",
        baseUrl: "https://a.example/v1",
        apiKey: "$KEY",
        headers: { "x-a": "1" },
        models: {
          big: {
            name: "Big",
            windowTokens: 1000,
            maxOutputTokens: 100,
            image: false,
            audio: true,
            thoughtLevels: ["low", "high"],
            defaultThoughtLevel: "high",
            prices: { input: 1, output: 2, cachedInput: 0, cacheWrite: 3 },
          },
          old: { windowTokens: 10, maxOutputTokens: 5 },
        },
        temperature: 0,
        maxOutputTokens: 50,
        extraBody: { a: [1] },
      },
      list: { models: { one: {}, two: {} } },
    },
    compactAt: 0.8,
    stallSeconds: 1.5,
    firstByteSeconds: 30,
    caFile: "ca.pem",
  });
});

test("leaves alone what it does not know", () => {
  const others = { agents: { enable_builtin: true }, replay: 1, goal: [], context: { other: "x" }, model: null };
  expect(read(others)).toMatchObject({ settings: { providers: {} }, problems: [] });
});

describe("names what is wrong, and uses the rest", () => {
  const rest = { stallSeconds: 9 };
  test.each<[string, object, string]>([
    ["a model", { model: 1 }, "model is not a text"],
    ["a mode", { mode: "root" }, "mode is not read-only, workspace-write, full-access or plan"],
    ["providers", { providers: [] }, "providers is not an object"],
    ["a provider", { providers: { a: "x" } }, "providers.a is not an object"],
    [
      "a protocol",
      { providers: { a: { protocol: "grpc" } } },
      "providers.a.protocol is not chat, responses, messages or gemini",
    ],
    ["a base URL", { providers: { a: { baseUrl: "ftp://x" } } }, "providers.a.baseUrl is not an http or https address"],
    ["a key", { providers: { a: { apiKey: { secret: 1 } } } }, "providers.a.apiKey is not a text"],
    ["headers", { providers: { a: { headers: { x: 1 } } } }, "providers.a.headers is not an object of texts"],
    ["models", { providers: { a: { models: "x" } } }, "providers.a.models is not a list of names"],
    ["a list of models", { providers: { a: { models: [1] } } }, "providers.a.models is not a list of names"],
    [
      "a model of a provider",
      { providers: { a: { models: { "x/y": 1 } } } },
      'providers.a.models."x/y" is not an object',
    ],
    [
      "a window",
      { providers: { a: { models: { m: { window: -1 } } } } },
      "providers.a.models.m.window is not a whole number above 0",
    ],
    [
      "a price",
      { providers: { a: { models: { m: { prices: { input: "1" } } } } } },
      "providers.a.models.m.prices.input is not a price in dollars for a million tokens",
    ],
    [
      "a flag",
      { providers: { a: { models: { m: { image: "no" } } } } },
      "providers.a.models.m.image is not true or false",
    ],
    [
      "levels",
      { providers: { a: { models: { m: { thoughtLevels: [""] } } } } },
      "providers.a.models.m.thoughtLevels is not a list of names",
    ],
    ["a temperature", { providers: { a: { temperature: 3 } } }, "providers.a.temperature is not a number from 0 to 2"],
    ["a limit", { providers: { a: { maxTokens: 1.5 } } }, "providers.a.maxTokens is not a whole number above 0"],
    ["an extra body", { providers: { a: { extraBody: [] } } }, "providers.a.extraBody is not an object"],
    ["a share", { context: { compactAt: 80 } }, "context.compactAt is not a number above 0 and up to 1"],
    ["a context", { context: 1 }, "context is not an object"],
    ["seconds", { firstByteSeconds: 0 }, "firstByteSeconds is not a number of seconds"],
    ["a file", { caFile: [] }, "caFile is not a text"],
  ])("%s", (_, wrong, problem) => {
    const { settings, problems } = read({ ...wrong, ...rest });
    expect(problems).toEqual([`/home/settings.json: ${problem}, so it is not used.`]);
    expect(settings.stallSeconds).toBe(9);
  });
});

test.each<[string, string, readonly string[]]>([
  ["an empty file", " \n", []],
  ["a byte order mark", '\uFEFF{"model":"a/b"}', []],
  ["what is not JSON", '{\n  "apiKey": sk-secret\n}', ["/s.json is not JSON (line 2, column 13), so it is not used."]],
  ["what is not an object", "[]", ["/s.json: the whole is not an object, so it is not used."]],
])("copes with %s", (_, text, problems) => {
  expect(parseSettings(text, "/s.json").problems).toEqual(problems);
});

test("does not take a name for what all objects have", () => {
  const { settings } = parseSettings('{"providers":{"__proto__":{"apiKey":"k"},"constructor":{}}}', "/s.json");
  expect(Object.keys(settings.providers)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(settings.providers)).toBe(Object.prototype);
});
