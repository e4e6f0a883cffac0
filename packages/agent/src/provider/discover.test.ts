import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createDiscovery } from "./discover.ts";
import { parseModels } from "./list-models.ts";

const open: Server[] = [];

const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listen(server: Server): Promise<string> {
  open.push(server);
  server.on("connection", (socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const serve = (handler: RequestListener) => listen(createServer(handler));

const answering = (body: unknown, status = 200) =>
  serve((_, response) => response.writeHead(status, { connection: "close" }).end(JSON.stringify(body)));

/** An address at which nobody listens any more. */
async function nobody(): Promise<string> {
  const baseUrl = await answering({});
  await new Promise((resolve) => open.pop()?.close(resolve));
  return baseUrl;
}

describe("finds", () => {
  test("those that answer with models, and asks for nothing else", async () => {
    const asked: (string | undefined)[] = [];
    const baseUrl = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(200, { connection: "close" }).end('{"object":"list","data":[{"id":"qwen3-coder:30b"}]}');
    });
    const places = [
      { id: "ollama", baseUrl },
      { id: "lmstudio", baseUrl: await nobody() },
    ];
    expect(await createDiscovery({ places })()).toEqual([
      { id: "ollama", baseUrl, models: [{ name: "qwen3-coder:30b" }] },
    ]);
    expect(asked).toEqual(["GET /v1/models undefined"]);
  });

  test("a server that has no model yet", async () => {
    const baseUrl = await answering({ data: [] });
    expect(await createDiscovery({ places: [{ id: "ollama", baseUrl }] })()).toEqual([
      { id: "ollama", baseUrl, models: [] },
    ]);
  });

  test("only the place it is asked for", async () => {
    const baseUrl = await answering({ data: [{ id: "m" }] });
    const elsewhere = { id: "ollama", baseUrl: await answering({ data: [{ id: "x" }] }) };
    const found = await createDiscovery({ places: [elsewhere] })({ id: "mine", baseUrl });
    expect(found).toEqual([{ id: "mine", baseUrl, models: [{ name: "m" }] }]);
  });

  test("nothing where nobody listens", async () => {
    const places = [{ id: "ollama", baseUrl: await nobody() }];
    expect(await createDiscovery({ places })()).toEqual([]);
  });

  test.each<[string, () => Promise<string>]>([
    ["a page", () => serve((_, response) => response.writeHead(200, { connection: "close" }).end("<html>"))],
    ["another JSON", () => answering({ status: "up" })],
    ["a list of something else", () => answering({ data: [{ user: 1 }] })],
    ["an error", () => answering({ data: [{ id: "m" }] }, 404)],
    [
      "a redirect",
      () => serve((_, response) => response.writeHead(302, { location: "/v2", connection: "close" }).end()),
    ],
    ["no HTTP", () => listen(createSocketServer((socket) => socket.on("error", () => {}).end("SSH-2.0\r\n")))],
    ["a hang-up", () => listen(createSocketServer((socket) => socket.destroy()))],
  ])("nothing where %s answers", async (_, start) => {
    expect(await createDiscovery({ places: [{ id: "llamacpp", baseUrl: await start() }] })()).toEqual([]);
  });

  test("nothing where nobody answers, and gives up soon", async () => {
    const baseUrl = await listen(createSocketServer((socket) => void socket.on("error", () => {})));
    expect(await createDiscovery({ places: [{ id: "ollama", baseUrl }] })()).toEqual([]);
  });
});

test("looks again after some seconds, not before", async () => {
  let asked = 0;
  let now = 0;
  const baseUrl = await serve((_, response) => {
    asked++;
    response.writeHead(200, { connection: "close" }).end(`{"data":[{"id":"m${asked}"}]}`);
  });
  const discover = createDiscovery({ places: [{ id: "ollama", baseUrl }], now: () => now });
  const names = async () => (await discover())[0]?.models.map(({ name }) => name);
  expect(await Promise.all([names(), names()])).toEqual([["m1"], ["m1"]]);
  now = 4_999;
  expect(await names()).toEqual(["m1"]);
  now = 5_000;
  expect(await names()).toEqual(["m2"]);
});

test.each<[string, unknown, unknown]>([
  ["OpenAI's form", { data: [{ id: "a" }, { id: "b" }] }, [{ name: "a" }, { name: "b" }]],
  ["names of another form", { models: [{ name: "a" }, { model: "b" }] }, [{ name: "a" }, { name: "b" }]],
  ["a window of vLLM", { data: [{ id: "a", max_model_len: 4096 }] }, [{ name: "a", windowTokens: 4096 }]],
  ["a window of llama.cpp", { data: [{ id: "a", meta: { n_ctx_train: 8192 } }] }, [{ name: "a", windowTokens: 8192 }]],
  [
    "what is loaded before what could be",
    { data: [{ id: "a", max_context_length: 9, loaded_context_length: 5 }] },
    [{ name: "a", windowTokens: 5 }],
  ],
  ["no window that is none", { data: [{ id: "a", context_length: "many" }] }, [{ name: "a" }]],
  [
    "no models that do not talk",
    { data: [{ id: "nomic-embed-text" }, { id: "whisper-1" }, { id: "a" }] },
    [{ name: "a" }],
  ],
  ["only entries with a name", { data: [null, 1, {}, { id: "" }, { id: "a" }] }, [{ name: "a" }]],
  ["no list of nothing known", { data: [null] }, undefined],
  ["no array", [{ id: "a" }], undefined],
])("reads %s", (_, body, models) => {
  expect(parseModels(JSON.stringify(body))).toEqual(models);
});
