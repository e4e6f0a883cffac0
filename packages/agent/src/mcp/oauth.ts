// Credentials for one server over HTTP: the token of an earlier sign-in, a fresh one when it has expired, and the word that
// somebody has to sign in where neither helps. It never waits for a person.

import type { AuthProvider, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { Failure, toFailure } from "./failure.ts";
import type { SignIn } from "./link.ts";
import { withAuthFetch } from "./oauth-fetch.ts";
import { readWish, type SignInOutcome, type SignInWish, signIn } from "./oauth-sign-in.ts";
import { type AuthStore, openAuthStore } from "./oauth-store.ts";
import { toShellWord } from "./read-config-name.ts";
import type { ServerConfig } from "./server.ts";

export interface AuthOptions {
  /** Of the server, as it is configured. */
  readonly name: string;
  readonly serverUrl: string;
  /** Where sign-ins are kept. */
  readonly home: string | undefined;
  /** For proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** There is a person who can open this page now. Without it, they are told what to run. Must not throw. */
  onLink?: ((url: string) => void) | undefined;
  /** The sign-in that began with `onLink` is over; where it went well, connect again. Must not throw. */
  onSignIn?: ((outcome: SignInOutcome) => void) | undefined;
  readonly waitMs?: number | undefined;
}

export interface ServerAuth extends SignIn {
  readonly provider: AuthProvider;
  /** Gives up a sign-in that is under way. Never rejects. */
  close(): Promise<void>;
}

/** Nothing where a server needs none: it is a child of ours, or the person gave it a token of their own. */
export function signInFor(
  { name, source, transport }: ServerConfig,
  options: Omit<AuthOptions, "name" | "serverUrl">,
): ServerAuth | undefined {
  if (transport.type === "stdio" || !URL.canParse(transport.url)) return undefined;
  if (Object.keys(transport.headers).some((header) => /^authorization$/i.test(header))) return undefined;
  // The program does not know the servers of a client by name.
  const known = source === "client" ? transport.url : name;
  return createAuthProvider({ ...options, name: toShellWord(known), serverUrl: transport.url });
}

export function createAuthProvider(options: AuthOptions): ServerAuth {
  const store = openAuthStore(options.home, options.serverUrl);
  const closed = new AbortController();
  /** What the server refused, if it refuses. */
  let used: string | undefined;
  let page: string | undefined;
  let link: Promise<string> | undefined;
  let underWay: Promise<unknown> | undefined;

  /** Resolves with the link of a sign-in, or rejects with a `Failure`. */
  const begin = (wish: SignInWish): Promise<string> =>
    new Promise((resolve, reject) => {
      const onLink = (url: string): void => {
        page = url;
        options.onLink?.(url);
        resolve(url);
      };
      underWay = signIn({ ...options, wish, store, onLink }, closed.signal).then((outcome) => {
        underWay = page = link = undefined;
        if (outcome.type !== "signed-in") reject(new Failure("auth", whyNot(outcome)));
        options.onSignIn?.(outcome);
      });
    });

  return {
    provider: {
      async token() {
        used = (await store.read())?.tokens.access_token;
        return used;
      },
      async onUnauthorized(context) {
        if (await refresh(store, used, options)) return;
        if (options.onLink === undefined || closed.signal.aborted) {
          throw new Failure("auth", `it needs a sign-in; run \`agentao mcp login ${options.name}\``);
        }
        // Calls that are refused together are one sign-in.
        link ??= readWish(context.response).then(begin);
        throw new Failure("auth", `it needs a sign-in: open ${await link}`);
      },
    },
    page: () => page,
    async close() {
      closed.abort();
      await underWay;
    },
  };
}

function whyNot(outcome: SignInOutcome): string {
  return outcome.type === "failed" ? `it needs a sign-in, and ${outcome.why}` : "it needs a sign-in";
}

/** By store: a refresh token is good for one use, and sessions share it. */
const refreshing = new Map<string, Promise<boolean>>();

/** True when there is another token than the one that was refused. Rejects when that cannot be found out now. */
async function refresh(store: AuthStore, refused: string | undefined, options: AuthOptions): Promise<boolean> {
  // Another session, or another process, may have been faster.
  const tokens = (await store.read())?.tokens;
  if (tokens !== undefined && tokens.access_token !== refused) return true;
  if (tokens?.refresh_token === undefined) return false;
  const running = refreshing.get(store.key) ?? refreshOnce(store, options).finally(() => refreshing.delete(store.key));
  refreshing.set(store.key, running);
  return running;
}

async function refreshOnce(store: AuthStore, options: AuthOptions): Promise<boolean> {
  const signedIn = await store.read();
  const token = signedIn?.tokens.refresh_token;
  if (signedIn === undefined || token === undefined) return false;
  const { refreshAuthorization } = await import("@modelcontextprotocol/client");
  const { client, discovery, resource } = signedIn;
  try {
    const fresh: StoredOAuthTokens = await withAuthFetch(options, (fetch) =>
      refreshAuthorization(discovery.authorizationServerUrl, {
        clientInformation: client,
        refreshToken: token,
        fetchFn: fetch,
        ...(discovery.authorizationServerMetadata && { metadata: discovery.authorizationServerMetadata }),
        ...(resource !== undefined && { resource }),
      }),
    );
    const { issuer } = signedIn.tokens;
    // One that cannot be written down is good for this session.
    await store.write({ ...signedIn, tokens: { ...fresh, ...(issuer !== undefined && { issuer }) } }).catch(() => {});
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw toFailure(error);
    return (await store.read())?.tokens.access_token !== signedIn.tokens.access_token;
  }
}

/** The server said no to what we showed it, and would say so again (RFC 6749, 5.2). */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    typeof code === "string" && /^(invalid_\w+|unauthorized_client|unsupported_grant_type|access_denied)$/.test(code)
  );
}
