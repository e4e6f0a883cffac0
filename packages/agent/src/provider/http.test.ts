import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { END_MARKS } from "./answer-end.ts";
import { createFetch } from "./http.ts";
import { chatEvents } from "./plain-answer.ts";
import type { Http } from "./provider.ts";
import { StallError } from "./stall.ts";

const PATIENT: Http = { env: {}, firstByteMs: 10_000, idleMs: 10_000 };

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listen(createServer(handle));
}

test("passes bytes on as they come", async () => {
  const url = await serve((_request, response) => {
    response.write("one");
    setTimeout(() => response.end("two"), 5);
  });
  const response = await createFetch(PATIENT)(url, { headers: { a: "b" } });
  const chunks: string[] = [];
  for await (const chunk of response.body ?? []) chunks.push(new TextDecoder().decode(chunk));
  expect([response.status, chunks]).toEqual([200, ["one", "two"]]);
});

test("gives up on a server that never answers", async () => {
  const url = await serve(() => {});
  await expect(createFetch({ ...PATIENT, firstByteMs: 20 })(url)).rejects.toEqual(new StallError(20, false));
});

test("gives up on a server that sends its headers and nothing else", async () => {
  const url = await serve((_request, response) => response.flushHeaders());
  const response = await createFetch({ ...PATIENT, firstByteMs: 20 })(url);
  await expect(response.text()).rejects.toEqual(new StallError(20, false));
});

test("gives up on an answer that stops, and closes the socket", async () => {
  const closed = resolvers();
  const url = await serve((_request, response) => {
    response.write("begun");
    response.once("close", () => closed.resolve(undefined));
  });
  const response = await createFetch({ ...PATIENT, idleMs: 20 })(url);
  await expect(response.text()).rejects.toEqual(new StallError(20, true));
  await closed.promise;
});

test("takes pings for life", async () => {
  const url = await serve((_request, response) => {
    let left = 8;
    const ping = setInterval(() => {
      response.write(": ping\n\n");
      if (--left > 0) return;
      clearInterval(ping);
      response.end("done");
    }, 20);
  });
  // Altogether longer than it would wait once.
  const response = await createFetch({ ...PATIENT, idleMs: 120 })(url);
  expect(await response.text()).toMatch(/done$/);
});

test("does not take a slow reader for a stall", async () => {
  const url = await serve((_request, response) => {
    response.write("one");
    setTimeout(() => response.end("two"), 10);
  });
  const response = await createFetch({ ...PATIENT, firstByteMs: 20, idleMs: 20 })(url);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(reader.read()).resolves.toMatchObject({ done: false });
});

test("closes the socket when the signal fires, before and during the answer", async () => {
  for (const begins of [false, true]) {
    const closed = resolvers();
    const arrived = resolvers();
    const url = await serve((_request, response) => {
      if (begins) response.write("begun");
      response.once("close", () => closed.resolve(undefined));
      arrived.resolve(undefined);
    });
    const stop = new AbortController();
    const answer = createFetch(PATIENT)(url, { signal: stop.signal }).then((response) => response.text());
    answer.catch(() => {});
    await arrived.promise;
    stop.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    await closed.promise;
  }
});

test("follows a redirection within one origin, and takes nothing to another", async () => {
  const caught: unknown[] = [];
  const other = await serve((request, response) => {
    caught.push(request.headers);
    response.end("caught");
  });
  const url = await serve((request, response) => {
    if (request.url === "/here") return void request.pipe(response);
    const location = request.url === "/near" ? "/here" : request.url === "/round" ? "/round" : other;
    response.writeHead(307, { location }).end();
  });
  const send = createFetch(PATIENT);
  const post = { method: "POST", body: "hello", headers: { "x-api-key": "secret" } };
  expect(await (await send(`${url}/near`, post)).text()).toBe("hello");
  await expect(send(`${url}/far`, post)).rejects.toThrow(/redirects \(307\)/);
  await expect(send(`${url}/round`, post)).rejects.toThrow(/redirects/);
  expect(caught).toEqual([]);
});

test("sends the body that it was told to send", async () => {
  const url = await serve((request, response) => void request.pipe(response));
  const send = createFetch(PATIENT, { rewrite: (body) => body.toUpperCase() });
  expect(await (await send(url, { method: "POST", body: "hello" })).text()).toBe("HELLO");
});

test("goes through the proxy that the session's environment names", async () => {
  const asked: string[] = [];
  const proxy = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end("from the proxy");
  });
  const send = createFetch({ ...PATIENT, env: { http_proxy: proxy, no_proxy: "direct.test" } });
  const response = await send("http://model.test/v1/chat", { method: "POST", body: "{}" });
  expect([await response.text(), asked]).toEqual(["from the proxy", ["POST http://model.test/v1/chat"]]);
  await expect(send("http://direct.test:1/")).rejects.toThrow("fetch failed");
  expect(asked).toHaveLength(1);
});

test("asks the proxy for a tunnel to a server that speaks TLS", async () => {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(String(request.url));
    sockets.add(socket);
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const proxy = await listen(server);
  await expect(createFetch({ ...PATIENT, env: { HTTPS_PROXY: proxy } })("https://model.test/v1")).rejects.toThrow();
  expect(asked).toEqual(["model.test:443"]);
  for (const socket of sockets) socket.destroy();
});

test("watches the way through a proxy as well", async () => {
  const proxy = await serve(() => {});
  const send = createFetch({ ...PATIENT, firstByteMs: 20, env: { http_proxy: proxy } });
  await expect(send("http://model.test/")).rejects.toEqual(new StallError(20, false));
});

test("names the proxy that is not there", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const send = createFetch({ ...PATIENT, env: { http_proxy: `http://bob:secret@127.0.0.1:${port}` } });
  await expect(send("http://model.test/")).rejects.toMatchObject({ name: "ProxyError", host: `127.0.0.1:${port}` });
});

test("is as patient as it is told, also beyond the patience of fetch itself", async () => {
  const agents: unknown[] = [];
  const url = await serve((request, response) => {
    agents.push(request.headers["user-agent"]);
    response.end("ok");
  });
  for (const firstByteMs of [10_000, 301_000]) await createFetch({ ...PATIENT, firstByteMs })(url);
  // The one that cannot be told, and the one that was told to wait.
  expect(agents).toEqual(["node", "undici"]);
});

const EVENTS = { events: { end: END_MARKS.chat, fromWhole: chatEvents } };
const FINISHED = 'data: {"choices":[{"finish_reason":"stop"}]}\n\n';
const SSE = { "content-type": "text/event-stream" };

test("an answer that is over counts, though its connection breaks", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, SSE).write(FINISHED, () => setTimeout(() => response.socket?.destroy(), 5));
  });
  expect(await (await createFetch(PATIENT, EVENTS)(url)).text()).toBe(FINISHED);
});

test("an answer that is over counts, though its connection stays open; then it is closed", async () => {
  const closed = resolvers();
  const url = await serve((_request, response) => {
    response.writeHead(200, SSE).write(FINISHED);
    response.once("close", () => closed.resolve(undefined));
  });
  expect(await (await createFetch({ ...PATIENT, settleMs: 20 }, EVENTS)(url)).text()).toBe(FINISHED);
  await closed.promise;
});

test("an answer that is not over breaks with its connection, and may fall silent", async () => {
  const open = 'data: {"choices":[{"finish_reason":"","delta":{"content":"\\"finish_reason\\":\\"stop\\""}}]}\n\n';
  const url = await serve((request, response) => {
    response.writeHead(200, SSE).write(open);
    setTimeout(() => (request.url === "/breaks" ? response.socket?.destroy() : response.end("data: x\n\n")), 40);
  });
  const send = createFetch({ ...PATIENT, settleMs: 10 }, EVENTS);
  await expect((await send(`${url}/breaks`)).text()).rejects.toThrow("terminated");
  expect(await (await send(`${url}/goes-on`)).text()).toBe(`${open}data: x\n\n`);
});

test("reads no more of a refusal than a megabyte, and keeps its status", async () => {
  const closed = resolvers();
  const url = await serve((_request, response) => {
    response.once("close", () => closed.resolve(undefined));
    response.writeHead(500);
    const more = (): void => void (response.destroyed || response.write("x".repeat(256 * 1024), more));
    more();
  });
  const response = await createFetch(PATIENT, EVENTS)(url);
  const { length } = await response.text();
  expect(response.status).toBe(500);
  expect(length).toBeLessThan(2 * 1024 * 1024);
  await closed.promise;
});

test("gives up on an event without an end", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, SSE);
    const more = (): void => void (response.destroyed || response.write("x".repeat(4 * 1024 * 1024), more));
    more();
  });
  const { body } = await createFetch(PATIENT, EVENTS)(url);
  await expect(
    (async () => {
      for await (const _ of body ?? []);
    })(),
  ).rejects.toMatchObject({ name: "OverlongError" });
});

test.each<[string, string, string, object]>([
  ["a page", "text/html", "<html>Log in</html>", { name: "PlainAnswerError", kind: "page" }],
  ["a page without a type", "text/plain", " \n<html>Log in</html>", { name: "PlainAnswerError", kind: "page" }],
  ["an error", "application/json", '{"error":"no"}', { kind: "error", responseBody: '{"error":"no"}' }],
  ["an answer of another protocol", "application/json", '{"output":[]}', { kind: "whole" }],
])("says what came instead of events: %s", async (_, type, text, error) => {
  const url = await serve((_request, response) => void response.writeHead(200, { "content-type": type }).end(text));
  await expect(createFetch(PATIENT, EVENTS)(url)).rejects.toMatchObject(error);
});

test("takes events for events, whatever type they claim to have", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write("\n");
    setTimeout(() => response.end(FINISHED), 5);
  });
  expect(await (await createFetch(PATIENT, EVENTS)(url)).text()).toBe(`\n${FINISHED}`);
});

test("says which certificate file it cannot read", async () => {
  const send = createFetch({ ...PATIENT, caFile: "/nowhere/ca.pem" });
  await expect(send("http://127.0.0.1:1/")).rejects.toMatchObject({ code: "ENOENT", path: "/nowhere/ca.pem" });
});

function resolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
