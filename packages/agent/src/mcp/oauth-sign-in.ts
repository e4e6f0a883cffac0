// A person's sign-in to one server: finds out who gives tokens for it, registers us there, hands out a link, waits for the
// person to come back, and keeps what that gave.

import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { toFailure } from "./failure.ts";
import { type Callback, openCallback } from "./oauth-callback.ts";
import { type AuthFetch, withAuthFetch } from "./oauth-fetch.ts";
import type { AuthStore, SignedIn } from "./oauth-store.ts";

export interface SignInRequest {
  readonly serverUrl: string;
  readonly store: AuthStore;
  /** For proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the server said it wants; it is asked where that is not known. */
  readonly wish?: SignInWish | undefined;
  /** The page to open. Must not throw. */
  onLink(url: string): void;
  readonly waitMs?: number | undefined;
}

export interface SignInWish {
  readonly scope?: string;
  readonly resourceMetadataUrl?: URL;
}

export type SignInOutcome =
  | { readonly type: "signed-in" }
  | { readonly type: "cancelled" }
  | { readonly type: "failed"; readonly why: string };

const WAIT_MS = 5 * 60_000;

/** Never rejects; nothing listens or waits when it resolves. */
export async function signIn(request: SignInRequest, signal: AbortSignal): Promise<SignInOutcome> {
  let callback: Callback | undefined;
  try {
    const opened = await openCallback(request.waitMs ?? WAIT_MS);
    callback = opened;
    return await withAuthFetch(request, (fetch) => walk(request, opened, fetch, signal));
  } catch (error) {
    return signal.aborted ? { type: "cancelled" } : { type: "failed", why: reason(error) };
  } finally {
    await callback?.close();
  }
}

async function walk(
  request: SignInRequest,
  callback: Callback,
  fetch: AuthFetch,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const { auth } = await import("@modelcontextprotocol/client");
  const { serverUrl, store } = request;
  const provider = createOnce(request, callback);
  const fetchFn: AuthFetch = (url, init) => fetch(url, { ...init, signal });
  const options = { serverUrl, fetchFn, ...(request.wish ?? (await askForWish(serverUrl, fetchFn))) };
  await auth(provider, options);
  const answer = await callback.answered(signal);
  switch (answer.type) {
    case "cancelled":
      return answer;
    case "late":
      return { type: "failed", why: "nobody signed in in time" };
    case "refused":
      return { type: "failed", why: `the sign-in was refused: ${answer.why}` };
    case "code": {
      const { code, issuer } = answer;
      await auth(provider, { ...options, authorizationCode: code, ...(issuer !== undefined && { iss: issuer }) });
      await store.write(provider.signedIn());
      return { type: "signed-in" };
    }
  }
}

/** What the server says when somebody comes without a token. */
async function askForWish(serverUrl: string, fetch: AuthFetch): Promise<SignInWish> {
  const response = await fetch(serverUrl, { headers: { accept: "application/json, text/event-stream" } });
  const wish = response.status === 401 ? await readWish(response) : {};
  await response.body?.cancel();
  return wish;
}

/** RFC 9728, 5.1. */
export async function readWish(response: Response): Promise<SignInWish> {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return { ...(scope !== undefined && { scope }), ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
}

/** What the library asks and tells during one sign-in. Each begins anew: a registration may be forgotten, and ports differ. */
function createOnce({ onLink }: SignInRequest, { redirectUrl, state }: Callback) {
  let verifier = "";
  let got: Partial<SignedIn> = {};
  const keep = (more: Partial<SignedIn>): void => {
    got = { ...got, ...more };
  };
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: "agentao",
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    clientInformation: () => got.client,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => got.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    discoveryState: () => got.discovery,
    saveDiscoveryState: (discovery) => keep({ discovery }),
    saveResourceUrl: (resource) => keep({ resource }),
    codeVerifier: () => verifier,
    saveCodeVerifier(given) {
      verifier = given;
    },
    redirectToAuthorization(url) {
      if (!isSafePage(url)) throw new Error(`its sign-in page is at ${url.protocol}//, which is not safe to open`);
      onLink(url.href);
    },
  };
  return Object.assign(provider, {
    signedIn(): SignedIn {
      const { client, tokens, discovery, resource } = got;
      if (client === undefined || tokens === undefined || discovery === undefined) throw new Error("it gave no tokens");
      return { client, tokens, discovery, ...(resource !== undefined && { resource }) };
    },
  });
}

/** A page, not a program: other schemes start things. */
function isSafePage({ protocol, hostname }: URL): boolean {
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}

function reason(error: unknown): string {
  const { name } = error as { name?: unknown };
  if (name === "RegistrationRejectedError" || /dynamic client registration/i.test(String(error))) {
    return "it does not let programs register themselves; put a token of yours into its headers instead";
  }
  return toFailure(error).message;
}
