import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Discover } from "../provider/discover.ts";
import { type ConfigSource, inspectModels, loadConfig } from "./load.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentao-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nobody: Discover = async () => [];

function write(path: string, content: string | object): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const source = (more: Partial<ConfigSource> = {}): ConfigSource => ({
  cwd: join(folder, "project"),
  home: join(folder, "home"),
  env: {},
  discover: nobody,
  ...more,
});

const load = (more?: Partial<ConfigSource>) => loadConfig(source(more));

describe("the model", () => {
  test("is chosen by one variable, and the first session says why", async () => {
    const env = { OPENAI_API_KEY: "k", PATH: "/bin" };
    const config = await load({ env, announce: true });
    expect(config.model).toBe("openai/gpt-6.1-sol");
    expect(config.news).toEqual(["Model: openai/gpt-6.1-sol (OPENAI_API_KEY is set)."]);
    expect(config.catalogue?.list()[0]?.id).toBe("openai/gpt-6.1-sol");
    expect((await load({ env })).news).toBeUndefined();
  });

  test("is none without a key and a server, and the first session says what to do", async () => {
    const config = await load({ announce: true });
    expect([config.model, config.catalogue]).toEqual([undefined, undefined]);
    expect(config.notices).toEqual([
      "No key and no local server found: this is the scripted demo. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, start Ollama, or run agentao init.",
    ]);
  });

  const found: Discover = async (place) => [
    {
      id: place?.id ?? "lmstudio",
      baseUrl: place?.baseUrl ?? "http://127.0.0.1:7777/v1",
      models: [{ name: "local" }, { name: "other" }],
    },
  ];

  test("is one of a server on this machine where there is no key", async () => {
    const config = await load({ discover: found, announce: true });
    expect(config.model).toBe("lmstudio/local");
    expect(config.catalogue?.list().map(({ id }) => id)).toEqual(["lmstudio/local", "lmstudio/other"]);
    expect(config.news).toEqual(["Model: lmstudio/local (a local server answers at 127.0.0.1:7777)."]);
    const report = await inspectModels(source({ discover: found }));
    expect(report.providers.find(({ provider }) => provider.id === "lmstudio")?.provider.baseUrl).toBe(
      "http://127.0.0.1:7777/v1",
    );
  });

  test("of a local provider that was chosen is what its server has", async () => {
    const config = await load({ env: { LLM_PROVIDER: "ollama" }, discover: found });
    expect(config.model).toBe("ollama/local");
  });

  test.each<[string, Record<string, string>]>([
    ["there is a key", { XAI_API_KEY: "k" }],
    ["AGENTAO_MODEL names one", { AGENTAO_MODEL: "scripted/demo" }],
    ["it is switched off", { AGENTAO_LOCAL_MODELS: "0" }],
  ])("is not looked for on this machine when %s", async (_, env) => {
    let looked = 0;
    const discover: Discover = async () => {
      looked++;
      return [];
    };
    await load({ env, discover });
    expect(looked).toBe(0);
  });

  test("is not asked for where the chosen address is not on this machine", async () => {
    write("home/settings.json", { providers: { corp: { baseUrl: "https://corp.example/v1" } } });
    const looked: unknown[] = [];
    const discover: Discover = async (place) => {
      looked.push(place);
      return [];
    };
    expect((await load({ discover, env: { LLM_PROVIDER: "corp" } })).model).toBe("corp/default");
    expect(looked).toEqual([]);
  });

  test("does not mind a folder that is called .env", async () => {
    mkdirSync(join(folder, "project", ".env"), { recursive: true });
    expect((await load()).notices).toEqual([]);
  });

  test("comes from .env, for its own folder only, and leaves the process alone", async () => {
    write("one/.env", "OPENAI_API_KEY=one\nSECRET=x");
    write("two/.env", "export XAI_API_KEY='two'");
    const before = { ...process.env };
    const [one, two, none] = await Promise.all([
      load({ cwd: join(folder, "one") }),
      load({ cwd: join(folder, "two") }),
      load(),
    ]);
    expect([one.model, two.model, none.model]).toEqual(["openai/gpt-6.1-sol", "xai/grok-4.7", undefined]);
    expect(two.catalogue?.find("openai/gpt-6.1-sol")).toBeUndefined();
    expect(one.catalogue?.find("xai/grok-4.7")).toBeUndefined();
    expect([one.env, two.env]).toEqual([{}, {}]);
    expect(process.env).toEqual(before);
  });
});

describe("settings", () => {
  test("of the project come before those of the person", async () => {
    write("home/settings.json", { model: "openai/a", context: { compactAt: 0.5 } });
    write("project/.agentao/settings.json", { model: "openai/b", context: { compactAt: 0.7 }, agents: {} });
    const config = await load({ env: { OPENAI_API_KEY: "k" } });
    expect([config.model, config.compactAt, config.notices]).toEqual(["openai/b", 0.7, []]);
  });

  test("that are wrong are told, and the rest is used", async () => {
    const home = write("home/settings.json", '{"model": "openai/a", "mode": 1}');
    const project = write("project/.agentao/settings.json", '{"model": }');
    const config = await load({ env: { OPENAI_API_KEY: "k" } });
    expect(config.model).toBe("openai/a");
    expect(config.notices).toEqual([
      `${home}: mode is not read-only, workspace-write, full-access or plan, so it is not used.`,
      `${project} is not JSON (line 1, column 11), so it is not used.`,
    ]);
  });

  test.each<[string | undefined, string | undefined, string | undefined, number]>([
    [undefined, undefined, undefined, 0],
    ["full-access", undefined, "full-access", 0],
    [undefined, "read-only", "read-only", 0],
    [undefined, "plan", "plan", 0],
    [undefined, "full-access", undefined, 1],
    [undefined, "workspace-write", undefined, 0],
    ["full-access", "workspace-write", "workspace-write", 0],
    ["read-only", "full-access", "read-only", 1],
    ["read-only", "workspace-write", "read-only", 1],
    ["read-only", "plan", "read-only", 0],
    ["plan", "plan", "plan", 0],
  ])("mode %s of the person and %s of the project is %s", async (personal, project, mode, notices) => {
    write("home/settings.json", { mode: personal });
    write("project/.agentao/settings.json", { mode: project });
    const config = await load();
    expect([config.mode, config.notices?.length]).toEqual([mode, notices]);
  });

  test("of a project do not say which certificates are trusted", async () => {
    const file = write("project/.agentao/settings.json", { caFile: "evil.pem" });
    expect((await load()).notices).toEqual([
      `${file}: caFile is not used: which certificates are trusted is up to the person's own settings.`,
    ]);
  });

  test("are the person's alone where the home folder is the project", async () => {
    write("project/.agentao/settings.json", { mode: "full-access" });
    const config = await load({ home: join(folder, "project", ".agentao") });
    expect([config.mode, config.notices]).toEqual(["full-access", []]);
  });

  test("that cannot be read are told", async () => {
    const file = join(folder, "project", ".agentao", "settings.json");
    mkdirSync(file, { recursive: true });
    expect((await load()).notices).toEqual([`${file} cannot be read: ${file} is a folder`]);
  });
});

test("commands do not see a key that the person's settings name", async () => {
  write("home/settings.json", { providers: { corp: { baseUrl: "https://a.example", apiKey: "$CORP_LLM_TOKEN" } } });
  write("project/.agentao/settings.json", { providers: { other: { baseUrl: "https://b.example", apiKey: "$PATH" } } });
  const { env } = await load({ env: { CORP_LLM_TOKEN: "t", PATH: "/bin" } });
  expect(env).toEqual({ PATH: "/bin" });
});

test.each<[Record<string, string>, readonly string[]]>([
  [
    { ALL_PROXY: "socks5://127.0.0.1:9" },
    ["The proxy in ALL_PROXY is not used: only http and https proxies are. Requests to OpenAI go directly."],
  ],
  [{ ALL_PROXY: "socks5://127.0.0.1:9", NO_PROXY: "openai.com" }, []],
  [{ HTTPS_PROXY: "http://127.0.0.1:9" }, []],
])("a proxy that cannot be used is told: %j", async (env, notices) => {
  expect((await load({ env: { OPENAI_API_KEY: "k", ...env } })).notices).toEqual(notices);
});

test("a project may ask for more patience than the person has, not for less", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const end = 'data: {"choices":[{"index":0,"delta":{"content":"late"},"finish_reason":"stop"}]}\n\n';
    setTimeout(() => response.end(end), 40);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  write("home/settings.json", { stallSeconds: 5, firstByteSeconds: 5 });
  write("project/.agentao/settings.json", { stallSeconds: 0.001, firstByteSeconds: 0.001 });
  const { port } = server.address() as AddressInfo;
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: "m" };

  const model = (await load({ env })).catalogue?.find("openai/m");

  const types: string[] = [];
  const request = { system: "", messages: [], tools: [] };
  for await (const { type } of model?.stream(request, new AbortController().signal) ?? []) types.push(type);
  expect(types).toEqual(["text-delta", "finish"]);
});

test("commands see the environment without keys to models", async () => {
  write("home/settings.json", { providers: { corp: { baseUrl: "https://a.example" } } });
  write("project/.env", "LLM_PROVIDER=their-own");
  const env = {
    PATH: "/bin",
    GITHUB_TOKEN: "t",
    MAPS_API_KEY: "m",
    OPENAI_API_KEY: "k",
    GOOGLE_GENERATIVE_AI_API_KEY: "k",
    DASHSCOPE_API_KEY: "k",
    FIREWORKS_API_KEY: "k",
    AZURE_OPENAI_API_KEY: "k",
    LLM_API_KEY: "k",
    LLM_EXTRA_BODY: "{}",
    LLM_PROVIDER: "acme",
    ACME_API_KEY: "k",
    CORP_API_KEY: "k",
    THEIR_OWN_API_KEY: "k",
  };
  const { env: seen } = await load({ env });
  expect(seen).toEqual({ PATH: "/bin", GITHUB_TOKEN: "t", MAPS_API_KEY: "m", LLM_PROVIDER: "acme" });
  const left = { ...env, AGENTAO_SCRUB_CHILD_ENV: "0" };
  expect((await load({ env: left })).env).toEqual(left);
});

test("rules that cannot be read make the session ask more", async () => {
  const file = join(folder, "home", "permissions.json");
  mkdirSync(file, { recursive: true });
  expect((await load()).problems).toEqual([
    { source: file, message: `cannot be read: ${file} is a folder`, loosens: true },
  ]);
});

test("a report names the files that were read, and says in one line what was chosen", async () => {
  const file = write("home/settings.json", { model: "openai/a" });
  const dotEnv = write("project/.env", "OPENAI_API_KEY=sk-secret");
  const report = await inspectModels(source());
  expect([report.files, report.why]).toEqual([[file, dotEnv], `openai/a because ${file} says so`]);
  expect((await inspectModels(source({ cwd: folder, home: undefined }))).why).toBe(
    "scripted/demo because there is no key and no local server",
  );
});
