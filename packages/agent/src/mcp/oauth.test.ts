import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AnyTool, ToolRoom } from "../tool/tool.ts";
import { createHub, type Hub } from "./hub.ts";
import { createAuthProvider, type ServerAuth, signInFor } from "./oauth.ts";
import { openCallback } from "./oauth-callback.ts";
import { type SignInOutcome, signIn } from "./oauth-sign-in.ts";
import { openAuthStore } from "./oauth-store.ts";
import type { ServerConfig, ServerTransport } from "./server.ts";

const never = new AbortController().signal;

/** A server that wants a sign-in, and whoever gives tokens for it. Strict, where the specifications are. */
class Town {
  readonly requests: string[] = [];
  readonly refreshed: string[] = [];
  readonly registered: Record<string, unknown>[] = [];
  /** What the next sign-in is answered; undefined is yes. */
  refusal: string | undefined;
  registers = true;
  authorizePath = "";
  wellKnown = "/.well-known/oauth-protected-resource/mcp";
  down = false;
  valid = new Set<string>();
  refreshTokens = new Set<string>();
  readonly #codes = new Map<string, { challenge: string; redirect: string; client: string }>();
  readonly #server: Server;
  #count = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get serverUrl(): string {
    return `${this.origin}/mcp`;
  }

  get challenge(): string {
    return `Bearer resource_metadata="${this.origin}${this.wellKnown}", scope="tools"`;
  }

  /** The 401 that a transport would hand to the provider. */
  refused(): { response: Response; serverUrl: URL; fetchFn: typeof fetch } {
    const response = new Response("", { status: 401, headers: { "www-authenticate": this.challenge } });
    return { response, serverUrl: new URL(this.serverUrl), fetchFn: fetch };
  }

  /** What a person's browser does with the link. */
  async visit(link: string): Promise<{ status: number; page: string }> {
    const response = await fetch(link, { redirect: "manual" });
    const to = response.headers.get("location");
    if (to === null) return { status: response.status, page: await response.text() };
    const answer = await fetch(to);
    return { status: answer.status, page: await answer.text() };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", this.origin);
    this.requests.push(`${request.method} ${url.pathname}`);
    const body = await new Response(request as never).text().catch(() => "");
    const json = (status: number, value: unknown): unknown =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (this.down) return request.socket.destroy();
    switch (url.pathname) {
      case this.wellKnown:
        return json(200, {
          resource: this.serverUrl,
          authorization_servers: [this.origin],
          scopes_supported: ["tools"],
        });
      case "/.well-known/oauth-authorization-server":
        return json(200, {
          issuer: this.origin,
          authorization_endpoint: this.authorizePath || `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          ...(this.registers && { registration_endpoint: `${this.origin}/register` }),
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
        });
      case "/register": {
        const metadata = JSON.parse(body) as Record<string, unknown>;
        this.registered.push(metadata);
        return json(201, { ...metadata, client_id: `client-${this.registered.length}` });
      }
      case "/authorize":
        return this.#authorize(url.searchParams, response);
      case "/token":
        return this.#token(new URLSearchParams(body), json);
      case "/mcp":
        return this.#mcp(request, response, body);
      default:
        return json(404, {});
    }
  }

  /** A server with one tool, for those who are signed in. */
  #mcp(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!this.valid.has(token)) {
      return response.writeHead(401, { "www-authenticate": this.challenge }).end();
    }
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "town", version: "1" },
      },
      "tools/list": { tools: [{ name: "ring", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "ding" }] },
    };
    const answer = JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} });
    return response.writeHead(200, { "content-type": "application/json" }).end(answer);
  }

  #authorize(params: URLSearchParams, response: ServerResponse): void {
    const redirect = params.get("redirect_uri") ?? "";
    const isKnown = this.registered.some((one) => (one.redirect_uris as string[]).includes(redirect));
    const isRight =
      isKnown &&
      params.get("response_type") === "code" &&
      params.get("code_challenge_method") === "S256" &&
      params.get("resource") === this.serverUrl &&
      params.get("scope") === "tools";
    if (!isRight) return void response.writeHead(400).end(`bad: ${params}`);
    const back = new URL(redirect);
    back.searchParams.set("state", params.get("state") ?? "");
    if (this.refusal !== undefined) back.searchParams.set("error", this.refusal);
    else {
      const code = `code-${++this.#count}`;
      const client = params.get("client_id") ?? "";
      this.#codes.set(code, { challenge: params.get("code_challenge") ?? "", redirect, client });
      back.searchParams.set("code", code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  #token(params: URLSearchParams, json: (status: number, value: unknown) => unknown): unknown {
    if (params.get("resource") !== this.serverUrl) return json(400, { error: "invalid_target" });
    if (params.get("grant_type") === "refresh_token") {
      const token = params.get("refresh_token") ?? "";
      this.refreshed.push(token);
      if (!this.refreshTokens.delete(token)) return json(400, { error: "invalid_grant" });
      return json(200, this.#issue());
    }
    const code = params.get("code") ?? "";
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256")
      .update(params.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      known?.challenge === challenge &&
      known.redirect === params.get("redirect_uri") &&
      known.client === params.get("client_id");
    return isRight ? json(200, this.#issue()) : json(400, { error: "invalid_grant" });
  }

  #issue(): object {
    const [access, refresh] = [`access-${++this.#count}`, `refresh-${this.#count}`];
    this.valid.add(access);
    this.refreshTokens.add(refresh);
    return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: 1 };
  }
}

let town: Town;
let folder = "";
let home = "";
let opened: ServerAuth[] = [];
beforeEach(async () => {
  town = new Town();
  await town.open();
  folder = mkdtempSync(join(tmpdir(), "agentao-oauth-"));
  home = join(folder, "home");
  opened = [];
});
afterEach(async () => {
  for (const auth of opened) await auth.close();
  await town.close();
  rmSync(folder, { recursive: true, force: true });
});

const store = () => openAuthStore(home, town.serverUrl);

const walkIn = (more: { waitMs?: number } = {}, signal = never, visit = true): Promise<SignInOutcome> =>
  signIn(
    { serverUrl: town.serverUrl, store: store(), env: {}, onLink: (url) => void (visit && town.visit(url)), ...more },
    signal,
  );

const provide = (more: Partial<Parameters<typeof createAuthProvider>[0]> = {}): ServerAuth => {
  const auth = createAuthProvider({ name: "town", serverUrl: town.serverUrl, home, env: {}, ...more });
  opened.push(auth);
  return auth;
};
const unauthorized = (auth: ServerAuth): Promise<void> | undefined => auth.provider.onUnauthorized?.(town.refused());

describe("a sign-in", () => {
  test("registers, hands out a link, takes the code with its proof, and keeps what it got for the person alone", async () => {
    expect(await walkIn()).toEqual({ type: "signed-in" });
    expect(town.registered).toEqual([
      expect.objectContaining({
        client_name: "agentao",
        redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
        token_endpoint_auth_method: "none",
        application_type: "native",
      }),
    ]);
    const signedIn = await store().read();
    expect(signedIn).toMatchObject({
      client: { client_id: "client-1" },
      tokens: { access_token: "access-2", refresh_token: "refresh-2", issuer: town.origin },
      resource: town.serverUrl,
    });
    const [file = ""] = readdirSync(join(home, "mcp-auth"));
    expect(file).toMatch(/^[0-9a-f]{32}\.json$/);
    expect(statSync(join(home, "mcp-auth", file)).mode & 0o777).toBe(0o600);
  });

  test("tells the person in the browser how it went, and stops listening", async () => {
    let visited: Promise<{ status: number; page: string }> | undefined;
    let back = "";
    const onLink = (url: string): void => {
      back = new URL(url).searchParams.get("redirect_uri") ?? "";
      visited = town.visit(url);
    };
    await signIn({ serverUrl: town.serverUrl, store: store(), env: {}, onLink }, never);
    expect(await visited).toEqual({ status: 200, page: expect.stringContaining("You are signed in.") });
    await expect(fetch(back)).rejects.toThrow();
  });

  test("finds the way where only the server knows it", async () => {
    town.wellKnown = "/somewhere/else";
    expect(await walkIn()).toEqual({ type: "signed-in" });
    expect(town.requests).toContain("GET /somewhere/else");
  });

  test("that the person refuses is a failure that says so, and keeps nothing", async () => {
    town.refusal = "access_denied";
    expect(await walkIn()).toEqual({ type: "failed", why: "the sign-in was refused: access_denied" });
    expect(await store().read()).toBeUndefined();
  });

  test("that nobody answers is over after a while", async () => {
    expect(await walkIn({ waitMs: 20 }, never, false)).toEqual({ type: "failed", why: "nobody signed in in time" });
  });

  test("ends at once when it is cancelled", async () => {
    const ending = new AbortController();
    const onLink = (): void => ending.abort();
    const request = { serverUrl: town.serverUrl, store: store(), env: {}, onLink };
    expect(await signIn(request, ending.signal)).toEqual({ type: "cancelled" });
  });

  test("says what to do where programs cannot register", async () => {
    town.registers = false;
    expect(await walkIn()).toEqual({
      type: "failed",
      why: "it does not let programs register themselves; put a token of yours into its headers instead",
    });
  });

  test.each(["http://evil.example/authorize", "file:///etc/passwd", "ms-settings:x"])(
    "hands out no link to %s",
    async (page) => {
      town.authorizePath = page;
      const links: string[] = [];
      const request = {
        serverUrl: town.serverUrl,
        store: store(),
        env: {},
        onLink: (url: string) => void links.push(url),
      };
      expect(await signIn(request, never)).toMatchObject({ type: "failed" });
      expect(links).toEqual([]);
    },
  );

  test("that cannot be kept is a failure", async () => {
    writeFileSync(home, "a file where the folder should be");
    expect(await walkIn()).toMatchObject({ type: "failed" });
  });

  test("fails where nobody listens, in a sentence", async () => {
    const gone = new Town();
    await gone.open();
    const { serverUrl } = gone;
    await gone.close();
    const outcome = await signIn({ serverUrl, store: store(), env: {}, onLink: () => {} }, never);
    expect(outcome).toEqual({ type: "failed", why: "nobody listens there (ECONNREFUSED)" });
  });
});

describe("a provider", () => {
  test("has no token before a sign-in, and says what to run where nobody can be asked", async () => {
    const auth = provide();
    expect(await auth.provider.token()).toBeUndefined();
    await expect(unauthorized(auth)).rejects.toMatchObject({
      kind: "auth",
      message: "it needs a sign-in; run `agentao mcp login town`",
    });
    expect(town.requests).toEqual([]);
  });

  test("uses the token of an earlier sign-in", async () => {
    await walkIn();
    expect(await provide().provider.token()).toBe("access-2");
  });

  test("gets a fresh token when the old one has expired, and keeps it", async () => {
    await walkIn();
    const auth = provide();
    await auth.provider.token();
    await unauthorized(auth);
    expect(await auth.provider.token()).toBe("access-3");
    expect(town.refreshed).toEqual(["refresh-2"]);
    await unauthorized(auth);
    expect((await store().read())?.tokens).toMatchObject({ access_token: "access-4", refresh_token: "refresh-4" });
    expect(town.registered).toHaveLength(1);
  });

  test("refreshes once for many that were refused together", async () => {
    await walkIn();
    const sessions = [provide(), provide(), provide()];
    await Promise.all(sessions.map(({ provider }) => provider.token()));
    await Promise.all([...sessions, ...sessions].map(unauthorized));
    expect(town.refreshed).toEqual(["refresh-2"]);
  });

  test("takes the token another one got meanwhile", async () => {
    await walkIn();
    const [early, late] = [provide(), provide()];
    await Promise.all([early.provider.token(), late.provider.token()]);
    await unauthorized(early);
    await unauthorized(late);
    expect(town.refreshed).toEqual(["refresh-2"]);
    expect(await late.provider.token()).toBe("access-3");
  });

  test("needs a sign-in when its refresh token is refused", async () => {
    await walkIn();
    town.refreshTokens.clear();
    const auth = provide();
    await auth.provider.token();
    await expect(unauthorized(auth)).rejects.toMatchObject({
      kind: "auth",
      message: expect.stringContaining("mcp login town"),
    });
  });

  test("does not ask for a sign-in because the network is down", async () => {
    await walkIn();
    const auth = provide({ onLink: () => expect.unreachable() });
    await auth.provider.token();
    town.down = true;
    await expect(unauthorized(auth)).rejects.toMatchObject({ kind: expect.stringMatching(/dropped|unsent/) });
    town.down = false;
    await unauthorized(auth);
    expect(await auth.provider.token()).toBe("access-3");
  });

  test("hands out one link where there is a person, shows it as its page, and tells when they are in", async () => {
    const links: string[] = [];
    let over: (outcome: SignInOutcome) => void = () => {};
    const signedIn = new Promise<SignInOutcome>((resolve) => {
      over = resolve;
    });
    const auth = provide({ onLink: (url) => void links.push(url), onSignIn: (outcome) => over(outcome) });
    await auth.provider.token();
    const refusals = await Promise.allSettled([unauthorized(auth), unauthorized(auth)]);
    expect(links).toHaveLength(1);
    expect(refusals.map((one) => (one as PromiseRejectedResult).reason.message)).toEqual(
      [0, 1].map(() => `it needs a sign-in: open ${links[0]}`),
    );
    expect(auth.page()).toBe(links[0]);
    await town.visit(links[0] as string);
    expect(await signedIn).toEqual({ type: "signed-in" });
    expect(auth.page()).toBeUndefined();
    expect(await auth.provider.token()).toMatch(/^access-/);
  });

  test("says why where a sign-in cannot even begin, and tries anew the next time", async () => {
    town.registers = false;
    const auth = provide({ onLink: () => {} });
    await expect(unauthorized(auth)).rejects.toMatchObject({
      kind: "auth",
      message: expect.stringContaining("register"),
    });
    town.registers = true;
    await expect(unauthorized(auth)).rejects.toMatchObject({ message: expect.stringContaining("open http") });
  });

  test("gives a sign-in up when it is closed, and begins no other", async () => {
    const auth = provide({ onLink: () => {} });
    await unauthorized(auth)?.catch(() => {});
    const back = new URL(auth.page() ?? "").searchParams.get("redirect_uri") ?? "";
    await auth.close();
    await expect(fetch(back)).rejects.toThrow();
    await expect(unauthorized(auth)).rejects.toMatchObject({ message: expect.stringContaining("mcp login") });
  });

  test("goes on without a home, as long as it lives", async () => {
    const links: string[] = [];
    const signedIn = new Promise((resolve) => {
      const auth = provide({
        home: undefined,
        onLink: (url) => void links.push(url),
        onSignIn: () => resolve(auth.provider.token()),
      });
      void unauthorized(auth)?.catch(() => town.visit(links[0] as string));
    });
    expect(await signedIn).toMatch(/^access-/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("with a hub", () => {
  const connect = (auth: ServerAuth) => {
    const notices: string[] = [];
    const transport = { type: "http", url: town.serverUrl, headers: {} } as const;
    const hub = createHub([{ name: "town", source: "user", trust: false, startMs: 10_000, transport }], {
      roots: [folder],
      cwd: folder,
      env: {},
      clientInfo: { name: "test", version: "1" },
      notice: (message) => void notices.push(message),
      log: () => {},
      onChange: () => {},
      signIn: () => auth,
    });
    return { hub, notices };
  };
  const call = async (hub: Hub): Promise<unknown> => {
    const [ring] = hub.tools() as [AnyTool];
    const { input } = ring.parse({}) as { input: never };
    return ring.run(input, { show: () => {} } as unknown as ToolRoom, never);
  };

  test("a server without a sign-in is given up, with what to run", async () => {
    const { hub, notices } = connect(provide());
    await hub.settled(10_000, never);
    expect(notices).toEqual([expect.stringContaining("it needs a sign-in; run `agentao mcp login town`")]);
    expect(hub.reports()).toMatchObject([{ state: { type: "failed" } }]);
    await hub.close();
  });

  test("a token that expires is replaced during a call, unseen", async () => {
    await walkIn();
    const { hub, notices } = connect(provide());
    await hub.settled(10_000, never);
    expect(hub.reports()).toMatchObject([{ state: { type: "connected" }, tools: ["ring"] }]);
    town.valid.clear();
    expect(await call(hub)).toMatchObject({ told: [{ type: "text", text: "ding" }] });
    expect([town.refreshed, notices]).toEqual([["refresh-2"], []]);
    await hub.close();
  });

  test("a person signs in while the session goes on, and the server is there", async () => {
    let restart = (): void => {};
    const auth = provide({ onLink: () => {}, onSignIn: () => restart() });
    const { hub } = connect(auth);
    await hub.settled(10_000, never);
    const [report] = hub.reports();
    expect(report?.state).toEqual({ type: "needs-sign-in", url: auth.page() });
    const restarted = new Promise<void>((resolve) => {
      restart = () => {
        hub.restart("town");
        resolve();
      };
    });
    await town.visit(auth.page() as string);
    await restarted;
    await expect.poll(() => hub.reports()[0]?.state.type).toBe("connected");
    expect(await call(hub)).toMatchObject({ told: [{ type: "text", text: "ding" }] });
    await hub.close();
  });
});

describe("a configured server", () => {
  const config = (transport: ServerTransport, source: ServerConfig["source"] = "user"): ServerConfig => ({
    name: "my town",
    source,
    trust: false,
    startMs: 1,
    transport,
  });
  const http = (headers: Record<string, string> = {}): ServerTransport => ({
    type: "http",
    url: town.serverUrl,
    headers,
  });

  test("is signed in to only where that can help", () => {
    const options = { home, env: {} };
    expect(signInFor(config({ type: "stdio", command: "run", args: [], env: {} }), options)).toBeUndefined();
    expect(signInFor(config(http({ authorization: "Bearer mine" })), options)).toBeUndefined();
    expect(signInFor(config({ type: "http", url: "nonsense", headers: {} }), options)).toBeUndefined();
    expect(signInFor(config(http({ "X-Team": "a" })), options)).toBeDefined();
  });

  test.each<[ServerConfig["source"], () => string]>([
    ["user", () => "'my town'"],
    ["project", () => "'my town'"],
    ["client", () => town.serverUrl],
  ])("of the %s is named as the program knows it", async (source, name) => {
    const auth = signInFor(config(http(), source), { home, env: {} }) as ServerAuth;
    const message = `it needs a sign-in; run \`agentao mcp login ${name()}\``;
    await expect(unauthorized(auth)).rejects.toMatchObject({ message });
  });
});

describe("the callback", () => {
  test.each<[string, number]>([
    ["/callback?code=x", 400],
    ["/callback?code=x&state=wrong", 400],
    ["/other?code=x&state=STATE", 404],
    ["/callback/../x?state=STATE", 404],
  ])("is not taken in by %s", async (path, status) => {
    const callback = await openCallback(5_000);
    const response = await fetch(new URL(path.replace("STATE", callback.state), callback.redirectUrl));
    expect(response.status).toBe(status);
    // The real answer still counts.
    const real = await fetch(`${callback.redirectUrl}?code=real&iss=me&state=${callback.state}`);
    expect(real.status).toBe(200);
    expect(await callback.answered(never)).toEqual({ type: "code", code: "real", issuer: "me" });
    await callback.close();
  });

  test("repeats nothing it was sent", async () => {
    const callback = await openCallback(5_000);
    const query = `error=x&error_description=${encodeURIComponent("<script>\n1</script>")}&state=${callback.state}`;
    const page = await (await fetch(`${callback.redirectUrl}?${query}`)).text();
    expect(page).not.toContain("script");
    expect(await callback.answered(never)).toEqual({ type: "refused", why: "<script> 1</script>" });
    await callback.close();
  });

  test("answers those who wait when it is closed", async () => {
    const callback = await openCallback(60_000);
    const answered = callback.answered(never);
    await callback.close();
    expect(await answered).toEqual({ type: "cancelled" });
  });
});

describe("the store", () => {
  test("forgets, and says whether there was anything", async () => {
    await walkIn();
    expect([await store().forget(), await store().forget(), await store().read()]).toEqual([true, false, undefined]);
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    '{"tokens": {"access_token": "x"}}',
    '{"__proto__": {"tokens": {"access_token": "x"}}}',
  ])("takes a file of %j for nothing", async (text) => {
    await walkIn();
    const [file = ""] = readdirSync(join(home, "mcp-auth"));
    writeFileSync(join(home, "mcp-auth", file), text);
    expect(await store().read()).toBeUndefined();
  });

  test("takes no token of another address", async () => {
    await walkIn();
    const [file = ""] = readdirSync(join(home, "mcp-auth"));
    const text = readFileSync(join(home, "mcp-auth", file), "utf8");
    const other = openAuthStore(home, "https://other.example/mcp");
    mkdirSync(join(home, "mcp-auth"), { recursive: true });
    writeFileSync(other.key, text);
    expect(await other.read()).toBeUndefined();
  });

  test("without a home is nobody else's", () => {
    const keys = [home, home, undefined, undefined].map((where) => openAuthStore(where, town.serverUrl).key);
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toBe(keys[1]);
  });

  test("keeps what cannot be written as long as it lives", async () => {
    await walkIn();
    const signedIn = await store().read();
    if (signedIn === undefined) return expect.unreachable();
    writeFileSync(join(folder, "file"), "");
    const blocked = openAuthStore(join(folder, "file"), town.serverUrl);
    await expect(blocked.write(signedIn)).rejects.toThrow();
    expect(await blocked.read()).toEqual(signedIn);
  });
});
