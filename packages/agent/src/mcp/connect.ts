// The way to one server: the only file that knows the protocol library, which is loaded when the first server is there.

import { pathToFileURL } from "node:url";
import type { AuthProvider, Client, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import { ABORTED, orAborted } from "../abort/until-aborted.ts";
import type { Watchdog } from "../machine/watchdog.ts";
import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleRequest } from "./ask.ts";
import { Failure, toFailure } from "./failure.ts";
import { createHttpFetch } from "./http-fetch.ts";
import { inOrder } from "./in-order.ts";
import type { ServerConfig } from "./server.ts";
import { createStdioWire } from "./stdio-wire.ts";
import { fromElicitAnswer, fromSampleAnswer, toElicitRequest, toSampleRequest } from "./to-ask.ts";
import { withWholeAnswers } from "./whole-answers.ts";

/** Credentials that are got while connecting. */
export interface SignIn {
  readonly provider: AuthProvider | OAuthClientProvider;
  /** Where the person can give their consent, when that is what is missing. */
  page(): string | undefined;
  /** Gives up what is under way. Never rejects. */
  close?(): Promise<void>;
}

/** What happens while somebody signs in. Must not throw. */
export interface SignInHooks {
  onLink(url: string): void;
  onSignIn(outcome: { readonly type: "signed-in" | "cancelled" | "failed" }): void;
}

export interface LinkRoom {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clientInfo: { readonly name: string; readonly version: string; readonly title?: string | undefined };
  readonly watchdog: Watchdog;
  readonly auth?: SignIn["provider"] | undefined;
  log(line: string): void;
  elicit?: ((request: ElicitRequest, signal: AbortSignal) => Promise<ElicitAnswer>) | undefined;
  sample?: ((request: SampleRequest, signal: AbortSignal) => Promise<SampleAnswer>) | undefined;
  /** The connection went by itself. Once, and only after it was there. */
  onDrop(why: string): void;
  onToolsChanged(): void;
  onPromptsChanged(): void;
}

export interface LinkRequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** One connection, from its handshake to its end. */
export interface Link {
  readonly offers: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean };
  /** What the server answers, as it is. Rejects with a `Failure`. */
  request(method: string, params: Readonly<Record<string, unknown>>, options: LinkRequestOptions): Promise<unknown>;
  /** Resolves when nothing is left of it. */
  close(): Promise<void>;
}

export type OpenLink = (config: ServerConfig, room: LinkRoom, signal: AbortSignal) => Promise<Link>;

/** The longest a timer can wait: as good as no limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Rejects with a `Failure`; then nothing is left of it. */
export const openLink: OpenLink = async (config, room, signal) => {
  const library = await import("@modelcontextprotocol/client");
  const { transport } = config;
  try {
    return await open(config, room, signal, library, "legacy");
  } catch (error) {
    if (transport.type !== "http" || !(error instanceof Failure)) throw error;
    // To probe first would cost every other server a round trip, and start those over stdio twice.
    if (SPEAKS_ONLY_THE_NEWEST.test(error.message)) return open(config, room, signal, library, "auto");
    if (!MAY_BE_AN_EVENT_STREAM.test(error.message)) throw error;
    const older: ServerConfig = { ...config, transport: { ...transport, type: "sse" } };
    return open(older, room, signal, library, "legacy").catch(() => Promise.reject(error));
  }
};

/** It refuses the handshake that all versions of the protocol know but the newest. */
const SPEAKS_ONLY_THE_NEWEST = /unsupported protocol version/i;
/** What servers of the oldest kind say to a message that is sent to where they stream events (MCP, backwards compatibility). */
const MAY_BE_AN_EVENT_STREAM = /\bHTTP 40[45]\b/;

async function open(
  config: ServerConfig,
  room: LinkRoom,
  signal: AbortSignal,
  library: Library,
  mode: "legacy" | "auto",
): Promise<Link> {
  const way = openWay(config, room, library);
  const client = createClient(library.Client, config, room, mode);
  let isOpen = false;
  let isClosed = false;
  const drop = (why: string): void => {
    if (!isOpen || isClosed) return;
    isOpen = false;
    room.onDrop(why);
  };
  way.onLost = drop;
  client.onclose = () => drop(way.death() ?? "the connection was closed");
  // What is wrong with single messages is for the log; what is wrong with a call is told to whoever made it.
  client.onerror = (error) => {
    if (isClosed || signal.aborted) return;
    room.log(error.message);
    if (config.transport.type === "sse" && "event" in error) drop("the event stream broke");
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await way.close();
  };

  try {
    const connected = await orAborted(client.connect(way.transport, { timeout: NO_LIMIT_MS }), signal);
    if (connected === ABORTED) throw new Failure("cancelled", "the connection was given up");
  } catch (error) {
    // The death of a server is its own end, and told when that is known.
    await close();
    throw way.death() === undefined ? toFailure(error) : new Failure("dropped", `it ${way.death()}`);
  }
  isOpen = true;
  const offered = client.getServerCapabilities() ?? {};
  if (client.getProtocolEra() === "modern") void listen(client, room);
  return {
    offers: {
      tools: offered.tools !== undefined,
      prompts: offered.prompts !== undefined,
      resources: offered.resources !== undefined,
    },
    async request(method, params, { signal: wanted, timeoutMs = NO_LIMIT_MS, onProgress }) {
      way.busy(1);
      try {
        // Of its own: a turn has one signal and may have many calls, and listeners in such numbers look like a leak.
        const options = {
          signal: AbortSignal.any([wanted]),
          timeout: timeoutMs,
          ...(onProgress && { onprogress: onProgress }),
        };
        return await client.request({ method, params }, AS_IT_IS, options);
      } catch (error) {
        const failure = toFailure(error);
        if (wanted.aborted) throw new Failure("cancelled", "the call was cancelled");
        if (failure.kind === "dropped" && way.death() !== undefined) {
          throw new Failure("dropped", `the server ${way.death()}`);
        }
        throw failure;
      } finally {
        way.busy(-1);
      }
    },
    close,
  };
}

/** In the newest version, changes are told to those who ask for it. */
async function listen(client: Client, room: LinkRoom): Promise<void> {
  try {
    await client.listen({ toolsListChanged: true, promptsListChanged: true });
  } catch (error) {
    room.log(`changes of its lists will not be noticed: ${toFailure(error).message}`);
  }
}

/** Results are read by us: a library that refuses a list for one odd tool in it helps nobody. */
const AS_IT_IS = {
  "~standard": { version: 1, vendor: "agentao", validate: (value: unknown) => ({ value }) },
} as const;

interface Way {
  readonly transport: Transport;
  onLost: (why: string) => void;
  /** How many calls are under way: while there are any, they tell what is wrong. */
  busy(more: 1 | -1): void;
  death(): string | undefined;
  close(): Promise<void>;
}

type Library = typeof import("@modelcontextprotocol/client");

function openWay({ transport }: ServerConfig, room: LinkRoom, library: Library): Way {
  let calls = 0;
  const busy = (more: 1 | -1): void => {
    calls += more;
  };
  if (transport.type === "stdio") {
    const wire = inOrder(createStdioWire(transport, room));
    return {
      transport: wire as unknown as Transport,
      onLost: () => {},
      busy,
      death: () => wire.death(),
      close: () => wire.close(),
    };
  }
  const http = createHttpFetch({
    origin: new URL(transport.url).origin,
    env: room.env,
    headers: transport.headers,
    userAgent: `agentao-mcp/${room.clientInfo.version}`,
    onUnreachable: (cause) => {
      if (calls === 0) way.onLost(toFailure(cause).message);
    },
  });
  const options = { fetch: http.fetch as typeof fetch, ...(room.auth && { authProvider: room.auth }) };
  const url = new URL(transport.url);
  const inner =
    transport.type === "http"
      ? new library.StreamableHTTPClientTransport(url, options)
      : new library.SSEClientTransport(url, options);
  let closing: Promise<void> | undefined;
  const way: Way = {
    transport: withWholeAnswers(inner as never) as Transport,
    onLost: () => {},
    busy,
    death: () => undefined,
    close() {
      closing ??= leave(inner).finally(() => http.close());
      return closing;
    },
  };
  return way;
}

const GOODBYE_MS = 500;

/** A server that keeps sessions may forget ours; it is told, and not waited for. */
async function leave(inner: { close(): Promise<void>; terminateSession?(): Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([inner.terminateSession?.().catch(() => {}), late]);
  clearTimeout(timer);
  await inner.close().catch(() => {});
}

function createClient(
  NewClient: Library["Client"],
  config: ServerConfig,
  room: LinkRoom,
  mode: "legacy" | "auto",
): Client {
  const { elicit, sample, clientInfo } = room;
  const client = new NewClient(
    { name: clientInfo.name, version: clientInfo.version, ...(clientInfo.title && { title: clientInfo.title }) },
    {
      versionNegotiation: { mode },
      capabilities: {
        roots: {},
        ...(elicit && { elicitation: { form: {}, url: {} } }),
        ...(sample && { sampling: {} }),
      },
    },
  );
  client.setRequestHandler("roots/list", () => ({ roots: room.roots.map(toRoot) }));
  if (elicit) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) =>
      fromElicitAnswer(await elicit(toElicitRequest(params, config.name), mcpReq.signal)),
    );
  }
  if (sample) {
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) =>
      fromSampleAnswer(await sample(toSampleRequest(params, config.name), mcpReq.signal)),
    );
  }
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const said = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
    room.log(`${params.level}: ${params.logger === undefined ? "" : `${params.logger}: `}${said}`);
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => room.onToolsChanged());
  client.setNotificationHandler("notifications/prompts/list_changed", () => room.onPromptsChanged());
  return client;
}

function toRoot(path: string): { uri: string; name: string } {
  return { uri: pathToFileURL(path).href, name: path.split(/[\\/]/).filter(Boolean).at(-1) ?? path };
}
