// Fetches one page of the web for reading: checks every address on the way, follows what stays at the same place, and
// turns the response into text. With a proxy, it is the proxy that looks the name up: what the name means here is checked
// all the same, but what it means there cannot be.

import { toMarkdown } from "./html-markdown.ts";
import type { WebAnswer, WebPage, WebQuery } from "./machine.ts";
import { MachineError } from "./machine.ts";
import {
  type AddressPolicy,
  checkHost,
  hostOf,
  isUnknownHost,
  type Lookup,
  parseRanges,
  parseWebUrl,
  resolvePublic,
  systemLookup,
} from "./web-address.ts";
import { exchange, type WebResponse } from "./web-exchange.ts";
import { toWebError } from "./web-fault.ts";
import { imageType, isHtml, parseMediaType, toText } from "./web-text.ts";

export interface WebLimits {
  readonly totalMs: number;
  readonly headersMs: number;
  readonly maxBytes: number;
}

export const USER_AGENT = "agentao/0.1.0";
const ACCEPT = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";
const LIMITS: WebLimits = { totalMs: 30_000, headersMs: 10_000, maxBytes: 5 * 1024 * 1024 };
const MAX_REDIRECTS = 10;
const MAX_IMAGE_BYTES = 3 * 1024 * 1024;
const CHALLENGE =
  /<title>\s*(just a moment|attention required|access denied|are you a robot|security check)|cf-challenge|captcha-delivery|px-captcha/i;

/** Throws a `MachineError`, or the signal's reason. */
export async function fetchWeb(
  query: WebQuery,
  signal: AbortSignal,
  { lookup = systemLookup, limits = LIMITS }: { readonly lookup?: Lookup; readonly limits?: WebLimits } = {},
): Promise<WebAnswer> {
  signal.throwIfAborted();
  const late = new AbortController();
  const seconds = limits.totalMs / 1000;
  const timer = setTimeout(() => {
    late.abort(new MachineError("failed", `${query.url} took longer than ${seconds} seconds, so it was given up`));
  }, limits.totalMs);
  const ending = AbortSignal.any([signal, late.signal]);
  try {
    return await follow(query, { lookup, allowed: parseRanges(query.allowedRanges) }, limits, ending);
  } catch (error) {
    throw ending.aborted ? ending.reason : toWebError(error, query.url);
  } finally {
    clearTimeout(timer);
  }
}

async function follow(
  query: WebQuery,
  policy: AddressPolicy,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const asked = parseWebUrl(query.url);
  let url = asked;
  for (let redirects = 0; ; redirects++) {
    const response = await get(url, query, policy, limits, signal);
    const location = isRedirect(response.status) ? response.headers.location : undefined;
    if (location === undefined) return toPage(url, response, query, signal);
    if (redirects === MAX_REDIRECTS) throw new MachineError("failed", `${query.url} redirects more than 10 times`);
    const next = redirected(url, location, policy);
    if (!isSamePlace(asked, next)) return { type: "elsewhere", url: next.href, status: response.status };
    url = next;
  }
}

async function get(
  url: URL,
  { proxyFor }: WebQuery,
  policy: AddressPolicy,
  { headersMs, maxBytes }: WebLimits,
  signal: AbortSignal,
): Promise<WebResponse> {
  const proxy = proxyFor?.(url);
  const addresses = await resolvePublic(url, policy, signal).catch((error: unknown) => {
    if (proxy !== undefined && isUnknownHost(error)) return undefined;
    throw error;
  });
  const headers = { "User-Agent": USER_AGENT, Accept: ACCEPT, "Accept-Encoding": "gzip, br" };
  return exchange({ url, addresses, proxy, headers, headersMs, maxBytes, skipsBody: isRedirect }, signal);
}

/** Nobody is sent to this machine or its network. A name is not looked up before somebody allowed to fetch from it. */
function redirected(from: URL, location: string, policy: AddressPolicy): URL {
  if (!URL.canParse(location, from.href)) {
    throw new MachineError("failed", `${from.href} redirects to what is no address`);
  }
  try {
    const url = parseWebUrl(new URL(location, from).href);
    checkHost(hostOf(url), policy);
    return url;
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    throw new MachineError("denied", `${error.message} (${from.href} redirects there)`);
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The same host, with or without `www.`, at the same port or from http to https: what was allowed for the one. */
function isSamePlace(asked: URL, next: URL): boolean {
  const plain = (url: URL): string => hostOf(url).replace(/^www\./, "");
  if (plain(asked) !== plain(next)) return false;
  if (asked.protocol === next.protocol) return asked.port === next.port;
  return asked.protocol === "http:" && asked.port === "" && next.port === "";
}

async function toPage(url: URL, response: WebResponse, query: WebQuery, signal: AbortSignal): Promise<WebPage> {
  const { status, headers, body, lacks } = response;
  const type = parseMediaType(headers["content-type"]);
  const page = { type: "page", url: url.href, status, mimeType: type.name, bytes: body.length, lacks } as const;
  const image = imageType(body);
  if (image !== undefined && lacks === undefined && body.length <= MAX_IMAGE_BYTES) {
    return { ...page, body: { type: "image", mimeType: image, data: body } };
  }
  const text = image === undefined ? toText(body, type, { isWhole: lacks === undefined }) : undefined;
  if (text === undefined) return { ...page, mimeType: image ?? type.name, body: { type: "binary" } };
  const isChallenge =
    headers["cf-mitigated"] === "challenge" || ([403, 429, 503].includes(status) && CHALLENGE.test(text));
  if (!query.asMarkdown || !isHtml(type, text)) return { ...page, body: { type: "text", text, isChallenge } };
  const { isCut, ...readable } = await toMarkdown(text, url.href, signal);
  return {
    ...page,
    lacks: lacks ?? (isCut ? "too-large" : undefined),
    body: { type: "text", ...readable, isChallenge },
  };
}
