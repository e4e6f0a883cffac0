// Fetching on loopback servers: redirects, pinned addresses, caps, encodings, and what is told of each response.

import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { WebAnswer, WebQuery } from "./machine.ts";
import type { Lookup } from "./web-address.ts";
import { fetchWeb, USER_AGENT, type WebLimits } from "./web-fetch.ts";

const open: { close(): unknown }[] = [];
const sockets = new Set<Socket>();
const signal = new AbortController().signal;
const limits: WebLimits = { totalMs: 20_000, headersMs: 10_000, maxBytes: 100_000 };
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of open.splice(0)) server.close();
  sockets.clear();
});

async function listen(server: Server | ReturnType<typeof createTcp>): Promise<number> {
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(server);
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener): Promise<number> => listen(createServer(listener));

/** Answers each connection with these bytes, and closes it. */
const serveRaw = (bytes: string): Promise<number> =>
  listen(createTcp((socket) => socket.on("error", () => {}).once("data", () => socket.end(bytes))));

interface Options extends Partial<WebQuery> {
  readonly lookup?: Lookup;
  readonly limits?: Partial<WebLimits>;
  readonly signal?: AbortSignal;
}

function fetchFrom(url: string, options: Options = {}): Promise<WebAnswer> {
  const { lookup = async () => ["127.0.0.1"], signal: stop = signal, limits: own, ...query } = options;
  return fetchWeb({ asMarkdown: true, allowedRanges: ["127.0.0.1/32"], ...query, url }, stop, {
    lookup,
    limits: { ...limits, ...own },
  });
}

async function pageOf(body: string | Buffer, headers: Record<string, string>, options: Options = {}) {
  const port = await serve((_, response) => response.writeHead(200, headers).end(body));
  const answer = await fetchFrom(`http://site.test:${port}/`, options);
  if (answer.type !== "page") throw new Error("elsewhere");
  return answer;
}

const textOf = async (body: string | Buffer, type: string, options?: Options) => {
  const page = await pageOf(body, { "Content-Type": type }, options);
  return page.body.type === "text" ? page.body.text : page.body.type;
};

test("fetches by GET, says who it is, and tells what came", async () => {
  let asked: IncomingMessage | undefined;
  const port = await serve((request, response) => {
    asked = request;
    response.writeHead(404, { "Content-Type": "text/html; charset=utf-8" }).end("<title>T</title><h1>Gone</h1>");
  });
  expect(await fetchFrom(`http://site.test:${port}/a/b?c=d#e`)).toEqual({
    type: "page",
    url: `http://site.test:${port}/a/b?c=d#e`,
    status: 404,
    mimeType: "text/html",
    bytes: 29,
    lacks: undefined,
    body: { type: "text", text: "# Gone", title: "T", needsScript: false, isChallenge: false },
  });
  expect(asked?.method).toBe("GET");
  expect(asked?.url).toBe("/a/b?c=d");
  expect(asked?.headers).toMatchObject({ host: `site.test:${port}`, "user-agent": USER_AGENT, connection: "close" });
  expect(asked?.headers.accept).toMatch(/^text\/markdown, text\/html/);
  expect(asked?.headers).not.toHaveProperty("cookie");
});

describe("addresses", () => {
  test("connects to what was checked, whatever the name leads to by then", async () => {
    const port = await serve((_, response) => response.end("pinned"));
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    let asked = 0;
    const answer = await fetchFrom(`http://site.test:${port}/`, { lookup: async () => answers[asked++] ?? [] });
    expect(answer).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
  });

  test("checks again where it is redirected on the same host", async () => {
    const port = await serve((_, response) => response.writeHead(302, { Location: "/next" }).end());
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const fetching = fetchFrom(`http://site.test:${port}/`, { lookup: async () => answers.shift() ?? [] });
    await expect(fetching).rejects.toThrow(
      "site.test leads to 127.0.0.2, which is not an address in the public internet",
    );
  });

  test("opens no connection when one of several addresses is private", async () => {
    let connections = 0;
    const port = await serve((_, response) => response.end("x"));
    (open.at(-1) as Server).on("connection", () => connections++);
    const fetching = fetchFrom(`http://site.test:${port}/`, { lookup: async () => ["127.0.0.1", "192.168.0.1"] });
    await expect(fetching).rejects.toThrow("blocked outbound request");
    expect(connections).toBe(0);
  });

  test("does not reach loopback without leave", async () => {
    const port = await serve((_, response) => response.end("x"));
    for (const host of ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"]) {
      await expect(fetchFrom(`http://${host}:${port}/`, { allowedRanges: [] })).rejects.toThrow(
        "blocked outbound request",
      );
    }
  });

  test("goes on to the next address when nothing answers at the first", async () => {
    const port = await serve((_, response) => response.end("second"));
    const answer = await fetchFrom(`http://site.test:${port}/`, {
      lookup: async () => ["::1", "127.0.0.1"],
      allowedRanges: ["127.0.0.1", "::1"],
    });
    expect(answer).toMatchObject({ status: 200 });
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("follows %s on the same host", async (status) => {
    const port = await serve((request, response) => {
      if (request.url === "/") response.writeHead(status, { Location: "/end" }).end();
      else response.end("the end");
    });
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({
      url: `http://site.test:${port}/end`,
      status: 200,
    });
  });

  test("takes www. for the same host, and tells of any other", async () => {
    const port = await serve((request, response) => {
      const { host = "" } = request.headers;
      if (host.startsWith("site.")) response.writeHead(301, { Location: `http://www.${host}/` }).end();
      else response.writeHead(301, { Location: "https://other.test/x" }).end();
    });
    expect(await fetchFrom(`http://site.test:${port}/`)).toEqual({
      type: "elsewhere",
      url: "https://other.test/x",
      status: 301,
    });
  });

  test.each([
    ["http://site.test:9/", "port 9 is not one of the web"],
    ["http://169.254.169.254/latest/", "169.254.169.254 is not an address in the public internet"],
    ["http://[::1]/", "::1 is not"],
    ["http://2130706434/", "127.0.0.2 is not"],
    ["file:///etc/passwd", "only http and https"],
    ["http://a:b@example.com/", "user name or a password"],
    ["//10.0.0.1/x", "10.0.0.1 is not"],
  ])("refuses to be sent to %s", async (location, reason) => {
    const port = await serve((_, response) => response.writeHead(302, { Location: location }).end());
    const fetching = fetchFrom(`http://site.test:${port}/`);
    await expect(fetching).rejects.toThrow(reason);
    await expect(fetching).rejects.toMatchObject({ code: "denied" });
  });

  test("asks nothing of a host nobody allowed, not even by name", async () => {
    const [hosts, asked]: [string[], (string | undefined)[]] = [[], []];
    const port = await serve((request, response) => {
      asked.push(request.headers.host);
      response.writeHead(302, { Location: `http://other.test:${port}/` }).end();
    });
    const lookup: Lookup = async (host) => {
      hosts.push(host);
      return ["127.0.0.1"];
    };
    expect(await fetchFrom(`http://site.test:${port}/`, { lookup })).toMatchObject({ type: "elsewhere" });
    expect(hosts).toEqual(["site.test"]);
    expect(asked).toEqual([`site.test:${port}`]);
  });

  test("takes another port for another place", async () => {
    const port = await serve((_, response) => response.writeHead(302, { Location: "http://site.test:6379/" }).end());
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({
      type: "elsewhere",
      url: "http://site.test:6379/",
    });
  });

  test("does not wait for the body of a redirect, and closes it", async () => {
    let closed: Promise<unknown> | undefined;
    const port = await serve((request, response) => {
      closed ??= new Promise((resolve) => request.socket.once("close", resolve));
      if (request.url === "/") response.writeHead(302, { Location: "/end" }).write("never ends");
      else response.end("the end");
    });
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({ body: { text: "the end" } });
    await closed;
  });

  test("ends after ten", async () => {
    let requests = 0;
    const port = await serve((_, response) => response.writeHead(302, { Location: `/${++requests}` }).end());
    await expect(fetchFrom(`http://site.test:${port}/`)).rejects.toThrow("redirects more than 10 times");
    expect(requests).toBe(11);
  });

  test("reads a redirect to nowhere as a page", async () => {
    const port = await serve((_, response) => response.writeHead(302).end("moved"));
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({ status: 302, type: "page" });
  });
});

describe("caps", () => {
  test("gives up when no headers come", async () => {
    const port = await serve(() => {});
    await expect(fetchFrom(`http://site.test:${port}/`, { limits: { headersMs: 40 } })).rejects.toThrow(
      "did not answer within 0.04 seconds",
    );
  });

  test("gives up a body that does not end in time", async () => {
    const port = await serve((_, response) => void response.writeHead(200).write("some"));
    await expect(fetchFrom(`http://site.test:${port}/`, { limits: { totalMs: 150 } })).rejects.toThrow(
      "took longer than",
    );
  });

  test("reads so much of an endless body, and closes", async () => {
    let closed: Promise<unknown> | undefined;
    const port = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once("close", resolve));
      response.writeHead(200, { "Content-Type": "text/plain" });
      const more = (): void => {
        if (response.destroyed) return;
        response.write("x".repeat(10_000));
        setImmediate(more);
      };
      more();
    });
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({ bytes: 100_000, lacks: "too-large" });
    await closed;
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(50_000_000, "a"))],
    ["br", brotliCompressSync(Buffer.alloc(50_000_000, "a"))],
    ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(50_000_000, "a")))],
  ])("unpacks no more than it reads of a bomb in %s", async (encoding, body) => {
    const page = await pageOf(body, { "Content-Type": "text/plain", "Content-Encoding": encoding });
    expect(page).toMatchObject({ bytes: 100_000, lacks: "too-large" });
  });

  test("refuses what is packed too often", async () => {
    await expect(pageOf("x", { "Content-Encoding": "gzip, gzip, gzip" })).rejects.toThrow("compressed too many times");
  });

  test("keeps what came before a connection broke off", async () => {
    const port = await serveRaw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 500\r\n\r\nonly this");
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({ bytes: 9, lacks: "broke-off" });
  });

  test("reads no more than the length says", async () => {
    const port = await serveRaw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nonly this");
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({ body: { text: "only" } });
  });

  test("closes the socket at once when aborted", async () => {
    const stop = new AbortController();
    let closed: Promise<unknown> | undefined;
    const port = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once("close", resolve));
      response.writeHead(200).write("x");
      setImmediate(() => stop.abort(new Error("enough")));
    });
    await expect(fetchFrom(`http://site.test:${port}/`, { signal: stop.signal })).rejects.toThrow("enough");
    await closed;
  });
});

describe("content", () => {
  test.each([
    ["text/html; charset=windows-1252", Buffer.from("<p>caf\xe9</p>", "latin1"), "café"],
    ["text/html; charset=GBK", Buffer.from("d6d0cec4", "hex"), "中文"],
    ["text/html", Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b</p>', "latin1"), "日本"],
    ["text/html", Buffer.from("<meta http-equiv=x content='text/html; charset=koi8-r'>\xc1", "latin1"), "а"],
    ["text/html", '<meta charset="utf-16"><p>é</p>', "é"],
    ["text/html; charset=nonsense", "<p>é</p>", "é"],
    ["text/plain", Buffer.from("\ufeffhi", "utf16le"), "hi"],
    ["text/plain; charset=latin1", Buffer.from("\ufeffé"), "é"],
    [
      "text/xml",
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', "latin1"),
      '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>',
    ],
    ["application/json", '{"a": "<b>"}', '{"a": "<b>"}'],
    ["application/ld+json; charset=utf-8", "[1]", "[1]"],
    ["text/markdown", "# A_b\n<i>", "# A_b\n<i>"],
    ["image/svg+xml", "<svg></svg>", "<svg></svg>"],
    ["", "<!doctype html><p>sniffed</p>", "sniffed"],
    ["", "plain", "plain"],
    ["application/octet-stream", "all text", "all text"],
    ["application/octet-stream", Buffer.from([0, 1, 2, 3]), "binary"],
    ["text/plain", Buffer.from([0, 1, 2, 3, 0, 0]), "binary"],
    ["application/pdf", Buffer.from("%PDF-1.7\n\0\x01\x02"), "binary"],
    ["text/html", "", ""],
  ])("reads %s %#", async (type, body, expected) => {
    expect(await textOf(body, type)).toBe(expected);
  });

  test("unpacks gzip and brotli", async () => {
    const headers = { "Content-Type": "text/plain" };
    expect(await pageOf(gzipSync("packed"), { ...headers, "Content-Encoding": "gzip" })).toMatchObject({
      body: { text: "packed" },
    });
    expect(await pageOf(brotliCompressSync("packed"), { ...headers, "Content-Encoding": "br" })).toMatchObject({
      body: { text: "packed" },
    });
    await expect(pageOf("not packed", { ...headers, "Content-Encoding": "gzip" })).rejects.toThrow("answer is damaged");
  });

  test("leaves HTML as it is when asked to", async () => {
    expect(await textOf("<p>x</p>", "text/html", { asMarkdown: false })).toBe("<p>x</p>");
  });

  test("gives images as they are, and not when they are cut", async () => {
    const page = await pageOf(PNG, { "Content-Type": "text/plain" });
    expect(page.body).toEqual({ type: "image", mimeType: "image/png", data: PNG });
    const cut = await pageOf(PNG, { "Content-Type": "image/png" }, { limits: { maxBytes: 10 } });
    expect(cut).toMatchObject({ body: { type: "binary" }, mimeType: "image/png", lacks: "too-large" });
    const large = Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)]);
    const whole = await pageOf(large, { "Content-Type": "image/png" }, { limits: { maxBytes: 4_000_000 } });
    expect(whole).toMatchObject({
      body: { type: "binary" },
      mimeType: "image/png",
      bytes: large.length,
      lacks: undefined,
    });
  });

  test("knows a page that asks for proof of a person", async () => {
    const port = await serve((_, response) => response.writeHead(403).end("<html><title>Just a moment...</title>"));
    expect(await fetchFrom(`http://site.test:${port}/`)).toMatchObject({ body: { isChallenge: true } });
  });

  test("says what is wrong with a server", async () => {
    const port = await serveRaw("SSH-2.0-OpenSSH_9.6\r\n");
    await expect(fetchFrom(`http://site.test:${port}/`)).rejects.toThrow("what it answers is not HTTP");
    await expect(fetchFrom(`https://site.test:${port}/`)).rejects.toMatchObject({ code: "failed" });
    const closed = await serve(() => {});
    open.pop()?.close();
    await expect(fetchFrom(`http://site.test:${closed}/`)).rejects.toThrow("nothing answers there");
  });
});

describe("a proxy", () => {
  test("is told the whole address of a plain request", async () => {
    let asked: IncomingMessage | undefined;
    const port = await serve((request, response) => {
      asked = request;
      response.end("through");
    });
    const proxyFor = () => `http://me:pass%20word@127.0.0.1:${port}`;
    const lookup = async () => {
      throw new Error("unknown here");
    };
    expect(await fetchFrom("http://site.test/a?b", { proxyFor, lookup })).toMatchObject({ body: { text: "through" } });
    expect(asked?.url).toBe("http://site.test/a?b");
    expect(asked?.headers.host).toBe("site.test");
    expect(asked?.headers["proxy-authorization"]).toBe(`Basic ${Buffer.from("me:pass word").toString("base64")}`);
  });

  test("opens a tunnel for https, and may refuse to", async () => {
    const asked: string[] = [];
    const server = createServer();
    server.on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    const port = await listen(server);
    const fetching = fetchFrom("https://site.test/", { proxyFor: () => `http://127.0.0.1:${port}` });
    await expect(fetching).rejects.toThrow("The proxy refused to connect to site.test:443 (403)");
    expect(asked).toEqual(["site.test:443"]);
  });

  test("does not lead to local names, nor to names that are private here", async () => {
    const proxyFor = () => "http://127.0.0.1:1";
    for (const url of ["http://localhost/", "http://10.0.0.1/", "http://x.internal/"]) {
      await expect(fetchFrom(url, { proxyFor, allowedRanges: [] })).rejects.toThrow("blocked outbound request");
    }
    const lookup = async () => ["10.0.0.1"];
    await expect(fetchFrom("http://site.test/", { proxyFor, lookup })).rejects.toThrow("blocked outbound request");
  });
});
