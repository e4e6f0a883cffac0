// One HTTP request and its response, to addresses that were chosen before, directly or through a proxy. Follows nothing,
// keeps nothing open: the socket is gone when this settles, and at once when the signal fires.

import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { MachineError } from "./machine.ts";

export interface WebRequest {
  readonly url: URL;
  /** Where to connect; the name is not looked up again. Nothing: the system looks it up. */
  readonly addresses?: readonly string[] | undefined;
  /** Looks the name up itself. */
  readonly proxy?: string | undefined;
  readonly method?: "GET" | "POST" | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Until the response begins. */
  readonly headersMs: number;
  /** Of the body, decompressed. */
  readonly maxBytes: number;
  /** The body of such a response is not read. */
  readonly skipsBody?: ((status: number) => boolean) | undefined;
}

export interface WebResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Why the body is not whole. */
  readonly lacks?: "too-large" | "broke-off" | undefined;
}

/** How long one address is tried before the next one is, too. */
const ATTEMPT_MS = 2_000;
const MAX_ENCODINGS = 2;

/** Throws what the sockets throw, a `MachineError`, or the signal's reason. */
export async function exchange(request: WebRequest, signal: AbortSignal): Promise<WebResponse> {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(
      new MachineError("failed", `${request.url.host} did not answer within ${request.headersMs / 1000} seconds`),
    );
  }, request.headersMs);
  const open = AbortSignal.any([signal, late.signal]);
  try {
    const response = await send(request, open);
    clearTimeout(timer);
    return await read(response, request, signal);
  } catch (error) {
    throw open.aborted ? open.reason : error;
  } finally {
    clearTimeout(timer);
    // Closes all that was opened: a body nobody reads to its end, a tunnel whose other end is not who it should be.
    late.abort();
  }
}

async function send(request: WebRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, proxy } = request;
  if (proxy === undefined) return await respond(direct(request, signal), request.body);
  if (url.protocol === "http:") return await respond(forwarded(request, new URL(proxy), signal), request.body);
  const tunnel = await openTunnel(url, new URL(proxy), signal);
  return await respond(direct(request, signal, tunnel), request.body);
}

function direct(request: WebRequest, signal: AbortSignal, tunnel?: TLSSocket): ClientRequest {
  const { url, addresses, method = "GET", headers } = request;
  return requestTo(url, {
    method,
    path: url.pathname + url.search,
    headers: { Host: url.host, ...headers },
    signal,
    ...(addresses !== undefined && tunnel === undefined && pinnedTo(addresses)),
    ...(tunnel !== undefined && { agent: undefined, createConnection: () => tunnel }),
  });
}

/** A proxy is told the whole address. */
function forwarded({ url, method = "GET", headers }: WebRequest, proxy: URL, signal: AbortSignal): ClientRequest {
  const path = url.href.replace(/#.*$/s, "");
  return requestTo(proxy, { method, path, headers: { Host: url.host, ...headers, ...credentials(proxy) }, signal });
}

/** Never from a pool: a kept socket would lead where an earlier name did. */
function requestTo(to: URL, options: Parameters<typeof requestHttps>[1] & object): ClientRequest {
  const host = to.hostname.replace(/^\[|\]$/g, "");
  const isSecure = to.protocol === "https:";
  const place = { host, port: to.port || (isSecure ? 443 : 80), agent: false, ...options } as const;
  return isSecure ? requestHttps(place) : requestHttp(place);
}

/** Answers with what was checked, whatever the name leads to by now. */
function pinnedTo(addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_host, { all, family }, done) => {
    const fitting = found.filter((one) => family === undefined || family === 0 || one.family === Number(family));
    const [first = { address: "", family: 4 }] = fitting.length > 0 ? fitting : found;
    if (all === true) done(null, found);
    else done(null, first.address, first.family);
  };
  return { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS };
}

function respond(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Stays: what happens after the response is seen by whoever reads it.
    request.on("error", reject);
    request.end(body);
  });
}

async function openTunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<TLSSocket> {
  const target = `${url.hostname}:${url.port || 443}`;
  const request = requestTo(proxy, {
    method: "CONNECT",
    path: target,
    headers: { Host: target, ...credentials(proxy) },
    signal,
  });
  const socket = await new Promise<Socket>((resolve, reject) => {
    request.once("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new MachineError("failed", `The proxy refused to connect to ${target} (${response.statusCode})`));
    });
    request.on("error", reject);
    request.end();
  });
  const close = (): void => void socket.destroy();
  signal.addEventListener("abort", close, { once: true });
  const servername = url.hostname.startsWith("[") ? undefined : url.hostname;
  return connectTls({ socket, ...(servername !== undefined && { servername }), ALPNProtocols: ["http/1.1"] });
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

async function read(response: IncomingMessage, request: WebRequest, signal: AbortSignal): Promise<WebResponse> {
  const status = response.statusCode ?? 0;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
  if (request.skipsBody?.(status) === true) return { status, headers, body: Buffer.alloc(0) };
  return { status, headers, ...(await readBody(decompressed(response, headers["content-encoding"]), request, signal)) };
}

async function readBody(stream: Readable, { maxBytes }: WebRequest, signal: AbortSignal) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const close = (): void => void stream.destroy(new Error("aborted"));
  signal.addEventListener("abort", close, { once: true });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) return { body: Buffer.concat(chunks), lacks: "too-large" } as const;
    }
    return { body: Buffer.concat(chunks) };
  } catch (error) {
    signal.throwIfAborted();
    if (bytes === 0) throw error;
    return { body: Buffer.concat(chunks), lacks: "broke-off" } as const;
  } finally {
    signal.removeEventListener("abort", close);
    stream.destroy();
  }
}

/** Bit by bit, so that no more is ever unpacked than is read. */
function decompressed(response: IncomingMessage, encodings: string | undefined): Readable {
  const names = (encodings ?? "").split(",").map((name) => name.trim().toLowerCase());
  const packed = names.filter((name) => name !== "" && name !== "identity").reverse();
  if (packed.length > MAX_ENCODINGS) throw new MachineError("failed", "The response is compressed too many times");
  return packed.reduce<Readable>((stream, name) => {
    const next = decompressor(name);
    stream.on("error", (error) => next.destroy(error));
    next.once("close", () => stream.destroy());
    return stream.pipe(next);
  }, response);
}

function decompressor(name: string) {
  // A stream that ends too early gives what there is.
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (name) {
    case "gzip":
    case "x-gzip":
      return createGunzip(zlib);
    case "deflate":
      return createInflate(zlib);
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new MachineError("failed", `The response is compressed by ${name}, which was not asked for`);
  }
}
