// The web: who is asked for which host, what a page becomes, what is never reached, and when there is a search.

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SearchProvider } from "../../packages/agent/src/config/web-search.ts";
import { call, type Script, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { only, toldOf } from "./seen.ts";

const PAGE = `<!doctype html><html><head><title>A page</title><script>bad()</script></head>
<body><nav>menu</nav><main><h1>Hello</h1><p>Some <b>bold</b> text and a <a href="/next">link</a>.</p>
<ul><li>one</li><li>two</li></ul></main></body></html>`;

let server: Server;
let origin: string;
let requests: string[];

beforeEach(async () => {
  requests = [];
  const answer: RequestListener = ({ url }, response) => {
    requests.push(url ?? "");
    if (url === "/away") return response.writeHead(302, { location: "http://other.test/x" }).end();
    if (url === "/near") return response.writeHead(302, { location: "/page" }).end();
    if (url === "/missing") return response.writeHead(404, { "content-type": "text/plain" }).end("not here");
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  };
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

interface Setup {
  readonly ranges?: string;
  readonly search?: SearchProvider;
  readonly answer?: string;
}

function connect(script: Script, { ranges, search, answer }: Setup = {}): Promise<Scripted> {
  const env = { PATH: "/usr/bin:/bin", ...(ranges !== undefined && { AGENTAO_WEB_FETCH_ALLOW_CIDRS: ranges }) };
  const config = async () => ({ env, ...(search && { search }) });
  return connectScripted({ script, answer, runtime: { config } });
}

const fetched = (path: string, more: object = {}) => call("web_fetch", { url: `http://${origin}${path}`, ...more });

test("a page is asked for by its host, and comes as Markdown", async () => {
  await using scripted = await connect([[fetched("/page")], [text("ok")]], {
    ranges: "127.0.0.0/8",
    answer: "allow_once",
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(scripted.asked).toMatchObject([
    {
      toolCall: {
        title: `Fetch ${origin}/page`,
        name: "web_fetch",
        kind: "fetch",
        rawInput: { url: `http://${origin}/page` },
      },
    },
  ]);
  expect(scripted.asked[0]?.options.map(({ name }) => name).join("\n")).toContain("127.0.0.1");
  expect(only(updates, "tool_call_update").at(-1)).toMatchObject({ status: "completed" });
  const told = toldOf(scripted);
  expect(told.split("\n").slice(0, 4)).toEqual(["Title: A page", `URL: http://${origin}/page`, "Status: 200", ""]);
  expect(told).toContain("# Hello");
  expect(told).toMatch(/Some \*\*bold\*\* text and a \[link\]/);
  expect(told).not.toMatch(/bad\(\)|<p>/);
  expect(requests).toEqual(["/page"]);
});

test("as it is, where that is wanted", async () => {
  await using scripted = await connect([[fetched("/page", { extract_text: false })], [text("ok")]], {
    ranges: "127.0.0.1/32",
    answer: "allow_once",
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toContain('<a href="/next">link</a>');
});

test("nothing is sent where the person says no", async () => {
  await using scripted = await connect([[fetched("/page")], [text("ok")]], { ranges: "127.0.0.0/8" });

  await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toContain("the person rejected it");
  expect(requests).toEqual([]);
});

test.each(["workspace-write", "full-access"])(
  "this machine is not reached where nobody allowed it, in %s mode, and the model is told why",
  async (mode) => {
    const { port } = new URL(`http://${origin}`);
    const urls = [`http://${origin}/`, `http://localhost:${port}/`, `http://[::1]:${port}/`, `http://0x7f.1:${port}/`];
    await using scripted = await connect([...urls.map((url) => [call("web_fetch", { url })]), [text("ok")]], {
      answer: "allow_once",
    });
    const sessionId = await scripted.open();
    await scripted.client.setMode(sessionId, mode);

    await scripted.prompt(sessionId, "go");

    const told = scripted.model.asked.at(-1)?.messages.filter(({ role }) => role === "result");
    expect(
      told?.map((message) => [message.role === "result" && message.failed, JSON.stringify(message.parts)]),
    ).toEqual(
      urls.map(() => [
        true,
        expect.stringMatching(
          /of this machine or its network|is this machine or its network|not an address in the public internet/,
        ),
      ]),
    );
    expect(scripted.asked).toEqual([]);
    expect(requests).toEqual([]);
  },
);

test("a redirect within the host is followed, one to another host is told", async () => {
  await using scripted = await connect([[fetched("/near")], [fetched("/away")], [text("ok")]], {
    ranges: "127.0.0.0/8",
    answer: "allow_always",
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(requests).toEqual(["/near", "/page", "/away"]);
  expect(toldOf(scripted)).toBe(
    `http://${origin}/away redirects to another host: http://other.test/x\nFetch that address if you want it.`,
  );
  expect(scripted.asked).toHaveLength(1);
});

test("a page that is not there is a failure with its status", async () => {
  await using scripted = await connect([[fetched("/missing")], [text("ok")]], {
    ranges: "127.0.0.0/8",
    answer: "allow_once",
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(toldOf(scripted)).toBe(`URL: http://${origin}/missing\nStatus: 404\n\nnot here`);
  expect(only(updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
});

test("there is a search only where somebody searches", async () => {
  const queries: unknown[] = [];
  const search: SearchProvider = {
    name: "test",
    endpoint: "https://search.test/api",
    async search(query, count) {
      queries.push([query, count]);
      return [{ title: "A hit", url: "https://a.test/", snippet: "of words" }];
    },
  };
  await using without = await connect([[call("web_search", { query: "x" })], [text("ok")]]);
  await using scripted = await connect([[call("web_search", { query: " words ", num_results: 2 })], [text("ok")]], {
    search,
    answer: "allow_once",
  });

  for (const one of [without, scripted]) await one.prompt(await one.open(), "go");

  const names = ({ model }: Scripted) => model.asked[0]?.tools.map(({ name }) => name);
  expect(names(without)).not.toContain("web_search");
  expect(toldOf(without)).toMatch(/^There is no tool named "web_search"/);
  expect(names(scripted)).toEqual([...(names(without) ?? []), "web_search"]);
  expect(scripted.asked).toMatchObject([{ toolCall: { title: 'Search the web for "words"', kind: "search" } }]);
  expect(queries).toEqual([["words", 2]]);
  expect(toldOf(scripted)).toBe('Results for " words " (test):\n\n1. A hit\n   https://a.test/\n   of words');
});
