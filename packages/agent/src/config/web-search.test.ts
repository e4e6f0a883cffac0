// Who searches, how each engine is asked, and what its answers mean. All on a loopback server.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { webAccess } from "./web-access.ts";
import { chooseSearch, type SearchSource } from "./web-search.ts";

const signal = new AbortController().signal;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Stands for the engine: the plain-http requests of a SearXNG at its own address, or of anybody through a proxy. */
async function engine(status: number, answer: string) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.writeHead(status, { "Content-Type": "application/json" }).end(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function search(status: number, answer: unknown, count = 5) {
  const { asked, url } = await engine(status, typeof answer === "string" ? answer : JSON.stringify(answer));
  const provider = chooseSearch({ env: {}, settings: { url: `${url}/` } });
  const hits = await provider?.search("a b&c", count, signal);
  return { asked, hits, provider };
}

describe("choice", () => {
  const keys = { JINA_API_KEY: "j", BOCHA_API_KEY: "b", BRAVE_API_KEY: "r", TAVILY_API_KEY: "t" };
  test.each<[SearchSource, string | undefined, string | undefined]>([
    [{ env: {} }, undefined, undefined],
    [{ env: { JINA_API_KEY: "  " } }, undefined, undefined],
    [{ env: keys }, "jina", "https://s.jina.ai/"],
    [{ env: { BOCHA_API_KEY: "b" } }, "bocha", "https://api.bochaai.com/v1/web-search"],
    [{ env: { BRAVE_API_KEY: "r" } }, "brave", "https://api.search.brave.com/res/v1/web/search"],
    [{ env: { TAVILY_API_KEY: "t" } }, "tavily", "https://api.tavily.com/search"],
    [{ env: {}, projectEnv: { BRAVE_API_KEY: "r", SEARXNG_URL: "http://evil.test" } }, "brave", undefined],
    [{ env: {}, projectEnv: { SEARXNG_URL: "http://evil.test" } }, undefined, undefined],
    [{ env: keys, settings: { provider: "Tavily" } }, "tavily", undefined],
    [{ env: { JINA_API_KEY: "j" }, settings: { provider: "brave" } }, undefined, undefined],
    [{ env: keys, settings: { url: "https://s.example/" } }, "searxng", "https://s.example/search"],
    [
      { env: {}, settings: { provider: "searxng", url: "http://h:8888/x/search" } },
      "searxng",
      "http://h:8888/x/search",
    ],
    [{ env: { SEARXNG_URL: "http://h:8888" } }, "searxng", "http://h:8888/search"],
    [{ env: {}, settings: { url: "file:///x" } }, undefined, undefined],
  ])("of %j is %s", (source, name, endpoint) => {
    const provider = chooseSearch(source);
    expect(provider?.name).toBe(name);
    if (endpoint !== undefined) expect(provider?.endpoint).toBe(endpoint);
  });
});

describe("engines", () => {
  const one = { url: "https://a.test/" };
  const hit = { title: "T", url: "https://a.test/", snippet: "S" };
  const engines = [
    {
      name: "jina",
      variable: "JINA_API_KEY",
      asked: { method: "GET", url: "/?q=a+b%26c&num=5", body: "" },
      headers: { authorization: "Bearer secret", "x-respond-with": "no-content" },
      answer: { code: 200, status: 20000, data: [{ ...one, title: "T", description: "S", content: "" }] },
      nothing: { code: 200, data: [] },
    },
    {
      name: "bocha",
      variable: "BOCHA_API_KEY",
      asked: {
        method: "POST",
        url: "/",
        body: '{"query":"a b&c","count":5,"summary":false,"freshness":"noLimit"}',
      },
      headers: { authorization: "Bearer secret", "content-type": "application/json" },
      answer: { code: 200, data: { webPages: { value: [{ ...one, name: "T", snippet: "S" }] } } },
      nothing: { code: 200, data: { webPages: { value: [] } } },
    },
    {
      name: "brave",
      variable: "BRAVE_API_KEY",
      asked: { method: "GET", url: "/?q=a+b%26c&count=5&text_decorations=false", body: "" },
      headers: { "x-subscription-token": "secret" },
      answer: { type: "search", web: { results: [{ ...one, title: "T", description: "<strong>S</strong>" }] } },
      nothing: { type: "search", query: {} },
    },
    {
      name: "tavily",
      variable: "TAVILY_API_KEY",
      asked: { method: "POST", url: "/", body: '{"query":"a b&c","max_results":5}' },
      headers: { authorization: "Bearer secret", "content-type": "application/json" },
      answer: { query: "a b&c", results: [{ ...one, title: "T", content: "S", score: 0.9 }] },
      nothing: { results: [] },
    },
  ];

  const ask = async ({ name, variable }: { name: string; variable: string }, status: number, answer: unknown) => {
    const { asked, url } = await engine(status, JSON.stringify(answer));
    const provider = chooseSearch({ env: { [variable]: "secret" }, settings: { provider: name, url } });
    return { asked, hits: await provider?.search("a b&c", 5, signal) };
  };

  test.each(engines)("asks $name in its own words", async (one) => {
    const { asked, hits } = await ask(one, 200, one.answer);
    expect(asked).toMatchObject([{ ...one.asked, headers: one.headers }]);
    expect(hits).toEqual([hit]);
    expect((await ask(one, 200, one.nothing)).hits).toEqual([]);
  });

  test.each(engines)("names the variable when $name refuses the key", async (one) => {
    const refused = ask(one, 401, { detail: "secret" });
    await expect(refused).rejects.toThrow(
      `${one.name} refused the search (401): the key in ${one.variable} is not accepted`,
    );
    await expect(refused).rejects.not.toThrow("secret");
    await expect(ask(one, 200, "<html>")).rejects.toThrow("no search result");
  });

  test("takes a refusal with status 200 for what it is", async () => {
    const bocha = { name: "bocha", variable: "BOCHA_API_KEY" };
    await expect(ask(bocha, 200, { code: "401", msg: "x" })).rejects.toThrow(
      "the key in BOCHA_API_KEY is not accepted",
    );
    await expect(ask(bocha, 200, { code: 429 })).rejects.toThrow("too many searches");
  });
});

test("asks SearXNG for JSON, and tidies what it answers", async () => {
  const { asked, hits } = await search(200, {
    results: [
      { title: "A <b>bold</b> &amp; title", url: "https://a.test/", content: ` ${"word ".repeat(100)}` },
      { title: "", url: "http://b.test/x", content: null },
      { title: "no place", url: "javascript:alert(1)", content: "x" },
      { title: "third", url: "https://c.test/" },
    ],
  });
  expect(asked[0]).toMatchObject({ method: "GET", url: "/search?q=a+b%26c&format=json" });
  expect(hits?.map(({ title, url }) => [title, url])).toEqual([
    ["A bold & title", "https://a.test/"],
    ["http://b.test/x", "http://b.test/x"],
    ["third", "https://c.test/"],
  ]);
  expect(hits?.[0]?.snippet).toHaveLength(300);
  expect(hits?.[0]?.snippet.endsWith("word…")).toBe(true);
});

test("gives no more than were asked for", async () => {
  const results = Array.from({ length: 9 }, (_, at) => ({ title: `${at}`, url: `https://x.test/${at}` }));
  expect((await search(200, { results }, 3)).hits).toHaveLength(3);
});

test("no results are no failure", async () => {
  expect((await search(200, { results: [], unresponsive_engines: [] })).hits).toEqual([]);
});

test.each<[number, unknown, string]>([
  [200, "", "answered with something that is no search result"],
  [200, "<html><title>Just a moment...</title></html>", "answered with something that is no search result"],
  [200, { error: "x" }, "answered with something that is no search result"],
  [200, { results: [], unresponsive_engines: [["google", "CAPTCHA"]] }, "its engines did not answer: google"],
  [403, "", "its settings do not allow the json format"],
  [429, "", "too many searches"],
  [500, "", "trouble of its own"],
])("says what is wrong with %s %j", async (status, answer, reason) => {
  await expect(search(status, answer)).rejects.toThrow(reason);
});

test("ends when the signal fires", async () => {
  const server = createServer(() => stop.abort(new Error("enough")));
  const stop = new AbortController();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(chooseSearch({ env: { SEARXNG_URL: url } })?.search("x", 1, stop.signal)).rejects.toThrow("enough");
});

test("reads proxies and allowed ranges from the environment", () => {
  const { allowedRanges, proxyFor } = webAccess({
    AGENTAO_WEB_FETCH_ALLOW_CIDRS: "10.0.0.0/8, 127.0.0.1 ,",
    https_proxy: "http://proxy.test:3128",
    no_proxy: "b.test",
  });
  expect(allowedRanges).toEqual(["10.0.0.0/8", "127.0.0.1"]);
  expect(proxyFor?.(new URL("https://a.test/"))).toBe("http://proxy.test:3128");
  expect(proxyFor?.(new URL("https://b.test/"))).toBeUndefined();
  expect(webAccess({}).allowedRanges).toEqual([]);
});
