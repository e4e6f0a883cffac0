// Where a browser comes back to after a sign-in: a server for one request, on this machine alone, which only whoever was
// sent with its state can answer.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ABORTED, orAborted } from "../abort/until-aborted.ts";

export type CallbackAnswer =
  | { readonly type: "code"; readonly code: string; readonly issuer?: string | undefined }
  /** In the words of the server. */
  | { readonly type: "refused"; readonly why: string }
  | { readonly type: "late" }
  | { readonly type: "cancelled" };

export interface Callback {
  readonly redirectUrl: string;
  /** What the answer must carry. */
  readonly state: string;
  /** Waits for the person. Never rejects. */
  answered(signal: AbortSignal): Promise<CallbackAnswer>;
  /** Nothing listens afterwards. Safe to call twice. */
  close(): Promise<void>;
}

const PATH = "/callback";
const MAX_WHY_CHARS = 300;

export async function openCallback(waitMs: number): Promise<Callback> {
  const state = randomBytes(24).toString("base64url");
  let settle: (answer: CallbackAnswer) => void = () => {};
  const answer = new Promise<CallbackAnswer>((resolve) => {
    settle = resolve;
  });
  const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 10_000 }, (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method !== "GET" || url.pathname !== PATH) return say(response, 404, "There is nothing here.");
    // Somebody else's visit does not end the wait.
    if (!isSame(url.searchParams.get("state") ?? "", state))
      return say(response, 400, "This is no answer to our question.");
    const read = readAnswer(url.searchParams);
    const words = read.type === "code" ? "You are signed in. You can close this page." : "You were not signed in.";
    response.once("close", () => settle(read));
    say(response, 200, words);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const timer = setTimeout(() => settle({ type: "late" }), waitMs);
  let closing: Promise<void> | undefined;
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    state,
    async answered(signal) {
      const found = await orAborted(answer, signal);
      return found === ABORTED ? { type: "cancelled" } : found;
    },
    close() {
      clearTimeout(timer);
      settle({ type: "cancelled" });
      closing ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closing;
    },
  };
}

function readAnswer(params: URLSearchParams): CallbackAnswer {
  const [code, error, issuer] = [params.get("code"), params.get("error"), params.get("iss")];
  if (code && error === null) return { type: "code", code, ...(issuer !== null && { issuer }) };
  const why = params.get("error_description") || error || "it sent no code";
  return { type: "refused", why: why.replace(/[\p{Cc}\s]+/gu, " ").slice(0, MAX_WHY_CHARS) };
}

/** Takes the same time for every wrong one. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Repeats nothing of what was asked. */
function say(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>agentao</title><p>${words}</p>\n`);
}
