// The client's end of a connection: drives an agent, and answers what the agent asks through handlers. Runs over any
// stream; `spawnAgent` in the Node entry point starts a process and hands its pipes in.

import { LocalError } from "../error/local-error.ts";
import { errorCodes, RpcError } from "../error/rpc-error.ts";
import { Connection } from "../rpc/connection.ts";
import type { OnDiagnostic } from "../rpc/diagnostic.ts";
import {
  type ExtensionHandlers,
  type NotificationHandler,
  type NotificationHandlers,
  type RequestHandler,
  type RequestHandlers,
  RouteTable,
} from "../rpc/handler.ts";
import type { RequestOptions } from "../rpc/pending-request.ts";
import type { RequestContext } from "../rpc/request-context.ts";
import type { Stream } from "../stream/stream.ts";
import { agentText, emptyTranscript, foldTranscript, type Transcript } from "../transcript/transcript.ts";
import { hasCapability, mergeCapabilities } from "../v1/capability.ts";
import type {
  ClientCapabilities,
  ContentBlock,
  Implementation,
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  Meta,
  NewSessionRequest,
  NewSessionResponse,
  RequestPermissionRequest,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SessionInfo,
  SessionUpdate,
  SetSessionConfigOptionResponse,
  StopReason,
} from "../v1/generated/type.ts";
import type { Method } from "../v1/method.ts";
import {
  type ParamsOf,
  type Protocol,
  type ProtocolTypes,
  type ResultOf,
  type UpdateOf,
  type V1,
  v1,
} from "../v1/protocol.ts";
import { handledCapabilities } from "./handled-capabilities.ts";
import { CANCELLED, OpenPermissions, type PermissionHandler, refusePermission } from "./open-permissions.ts";
import { OpenTurns } from "./open-turns.ts";
import { PromptTurn } from "./prompt-turn.ts";

/** What a client does for its agent, by method. What has a handler is advertised. */
export type ClientHandlers<Types extends ProtocolTypes = V1> = RequestHandlers<Types["clientRequests"]> &
  NotificationHandlers<Types["clientNotifications"]> &
  ExtensionHandlers;

export interface ClientOptions<Types extends ProtocolTypes = V1> {
  readonly info?: Implementation | undefined;
  /** Laid over what the handlers add up to: notices, compaction, boolean options, elicitation by URL. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Which methods exist; the released ones unless told otherwise. */
  readonly protocol?: Protocol<Types> | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly drainMs?: number | undefined;
}

export interface PromptOptions {
  /** Cancels the turn; the result then comes with the stop reason `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Sent with the prompt as its `_meta`. */
  readonly meta?: Meta | undefined;
}

export interface PromptTextResult {
  /** What the agent said. */
  readonly text: string;
  readonly stopReason: StopReason;
  /** The whole turn: thoughts, tool calls, plan. */
  readonly transcript: Transcript;
}

type PromptResultOf<Types extends ProtocolTypes> = ResultOf<Types["agentRequests"]["prompt"]>;
/** Params whose list of MCP servers may be left out: none, then. */
type WithServers<Params extends { mcpServers?: unknown }> = Omit<Params, "mcpServers"> &
  Partial<Pick<Params, "mcpServers">>;
export type NewSessionParams = WithServers<NewSessionRequest>;
export type LoadSessionParams = WithServers<LoadSessionRequest>;

/** `promptText` folds so many updates at a time. */
const FOLD_UPDATES = 1024;

/** An agent that says nothing for this long after its start is not going to. */
const INITIALIZE_MS = 60_000;

export class ClientSide<Types extends ProtocolTypes> {
  readonly #connection: Connection;
  readonly #handlers: ClientHandlers<Types>;
  readonly #options: ClientOptions<Types>;
  readonly #methods: readonly Method[];
  readonly #routes = new RouteTable();
  readonly #permissions = new OpenPermissions();
  readonly #updateHandler: NotificationHandler | undefined;
  readonly #turns = new OpenTurns<UpdateOf<Types>, PromptResultOf<Types>>();
  #agent: InitializeResponse | undefined;

  constructor(stream: Stream, handlers: ClientHandlers<Types> = {}, options: ClientOptions<Types> = {}) {
    this.#handlers = handlers;
    this.#options = options;
    this.#methods = (options.protocol ?? v1).methods;
    this.#updateHandler = this.#handler("update") as NotificationHandler | undefined;
    this.#routes.addSide("client", this.#methods, (row) => this.#handlerOf(row));
    this.#routes.addExtensions(handlers);
    this.#connection = new Connection(stream, this.#routes, {
      onDiagnostic: options.onDiagnostic,
      drainMs: options.drainMs,
    });
  }

  /** Resolves, never rejects, when the connection has ended; the value says why. */
  get closed(): Promise<Error> {
    return this.#connection.closed;
  }

  /** What the agent answered to `initialize`. */
  get agent(): InitializeResponse | undefined {
    return this.#agent;
  }

  /** Whether the agent advertised a capability, by its path: `loadSession`, `sessionCapabilities.list`. */
  agentSupports(path: string): boolean {
    return hasCapability(this.#agent?.agentCapabilities, path);
  }

  /** The handshake; comes first. Closes the connection if the agent speaks another version of the protocol. */
  async initialize(params: Partial<InitializeRequest> = {}, options: RequestOptions = {}): Promise<InitializeResponse> {
    const { version } = this.#options.protocol ?? v1;
    const { info } = this.#options;
    const answer = await this.request(
      "initialize",
      {
        protocolVersion: version,
        clientCapabilities: this.#advertise(),
        ...(info && { clientInfo: info }),
        ...params,
      },
      { timeoutMs: INITIALIZE_MS, ...options },
    );
    if (answer.protocolVersion !== version) {
      const message = `the agent speaks protocol version ${answer.protocolVersion}, this client only ${version}`;
      const cause = new LocalError("unsupported", message);
      await this.close(cause);
      throw cause;
    }
    this.#agent = answer;
    return answer;
  }

  /** Signs in by one of the methods the agent listed. Those that need a terminal are for the host to run. */
  async authenticate(methodId: string, options?: RequestOptions): Promise<void> {
    const method = this.#agent?.authMethods?.find(({ id }) => id === methodId);
    if (method !== undefined && "type" in method && method.type === "terminal") {
      const message = `sign-in method ${methodId} runs in a terminal: start the agent with its arguments instead`;
      throw new LocalError("unsupported", message);
    }
    await this.request("authenticate", { methodId }, options);
  }

  async logout(options?: RequestOptions): Promise<void> {
    await this.request("logout", {}, options);
  }

  newSession(params: NewSessionParams, options?: RequestOptions): Promise<NewSessionResponse> {
    return this.request("newSession", { mcpServers: [], ...params }, options);
  }

  /** Updates that replay the history have all been handled when this resolves. */
  loadSession(params: LoadSessionParams, options?: RequestOptions): Promise<LoadSessionResponse> {
    return this.request("loadSession", { mcpServers: [], ...params }, options);
  }

  resumeSession(params: ResumeSessionRequest, options?: RequestOptions): Promise<ResumeSessionResponse> {
    return this.request("resumeSession", params, options);
  }

  /** One page. `allSessions` walks over all of them. */
  listSessions(params: ListSessionsRequest = {}, options?: RequestOptions): Promise<ListSessionsResponse> {
    return this.request("listSessions", params, options);
  }

  async *allSessions(params: ListSessionsRequest = {}): AsyncGenerator<SessionInfo, void, undefined> {
    const seen = new Set<string>();
    let cursor = params.cursor;
    for (;;) {
      const page = await this.listSessions({ ...params, cursor });
      yield* page.sessions;
      cursor = page.nextCursor;
      if (cursor == null || seen.has(cursor)) return;
      seen.add(cursor);
    }
  }

  /** Succeeds too when the agent does not know the session: it is as closed as it can be. */
  async closeSession(sessionId: string, options?: RequestOptions): Promise<void> {
    await this.request("closeSession", { sessionId }, options).catch(ignoreNotFound);
  }

  /** Succeeds too when the agent does not know the session. */
  async deleteSession(sessionId: string, options?: RequestOptions): Promise<void> {
    await this.request("deleteSession", { sessionId }, options).catch(ignoreNotFound);
  }

  async setMode(sessionId: string, modeId: string, options?: RequestOptions): Promise<void> {
    await this.request("setMode", { sessionId, modeId }, options);
  }

  /** Answers all options: setting one may change others. */
  setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
    options?: RequestOptions,
  ): Promise<SetSessionConfigOptionResponse> {
    const choice = typeof value === "boolean" ? { type: "boolean" as const, value } : { value };
    return this.request("setConfigOption", { sessionId, configId, ...choice }, options);
  }

  /** Begins a turn: iterate over it for the updates, await its `result` for the end. */
  prompt(
    sessionId: string,
    prompt: string | readonly ContentBlock[],
    options: PromptOptions = {},
  ): PromptTurn<UpdateOf<Types>, PromptResultOf<Types>> {
    const blocks = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : prompt;
    const params = { sessionId, prompt: blocks, ...(options.meta && { _meta: options.meta }) };
    const turn = new PromptTurn<UpdateOf<Types>, PromptResultOf<Types>>(
      sessionId,
      {
        hold: () => this.#connection.hold(),
        stalled: (unread) => this.#stalled(unread),
      },
      () => this.request("prompt", params) as Promise<PromptResultOf<Types>>,
    );
    this.#turns.follow(turn, options.signal, () => void this.cancel(sessionId));
    return turn;
  }

  /** Sends text, waits for the end of the turn, and answers what the agent said. */
  async promptText(sessionId: string, text: string, options?: PromptOptions): Promise<PromptTextResult> {
    const turn = this.prompt(sessionId, text, options);
    let transcript = emptyTranscript;
    let unfolded: SessionUpdate[] = [];
    for await (const update of turn) {
      unfolded.push(update as SessionUpdate);
      if (unfolded.length < FOLD_UPDATES) continue;
      transcript = foldTranscript(transcript, unfolded);
      unfolded = [];
    }
    transcript = foldTranscript(transcript, unfolded);
    const { stopReason } = (await turn.result) as { stopReason: StopReason };
    return { text: agentText(transcript), stopReason, transcript };
  }

  /** Asks for the end of a session's turn, and answers its open permission questions with `cancelled`. */
  cancel(sessionId: string): Promise<void> | undefined {
    this.#turns.cancel(sessionId);
    this.#permissions.cancel(sessionId);
    return this.#connection.notify("session/cancel", { sessionId });
  }

  /** Any request of the protocol by its handler name. Rejects with `unsupported` when the agent cannot take it. */
  request<Name extends keyof V1["agentRequests"]>(
    name: Name,
    params: V1["agentRequests"][Name]["params"],
    options?: RequestOptions,
  ): Promise<V1["agentRequests"][Name]["result"]>;
  request<Name extends keyof Types["agentRequests"] & string>(
    name: Name,
    params: ParamsOf<Types["agentRequests"][Name]>,
    options?: RequestOptions,
  ): Promise<ResultOf<Types["agentRequests"][Name]>>;
  request(name: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    const row = this.#agentMethod(name, "request");
    if (row === undefined) return Promise.reject(new TypeError(`the protocol has no agent request named ${name}`));
    if (row.gate !== null && !this.agentSupports(row.gate.path)) {
      const message = `the agent did not advertise ${row.gate.path}, which ${row.method} needs`;
      return Promise.reject(new LocalError("unsupported", message));
    }
    return this.#connection.request(row.method, params, row.result, options);
  }

  /** Any notification of the protocol by its handler name. */
  notify<Name extends keyof Types["agentNotifications"] & string>(
    name: Name,
    params: Types["agentNotifications"][Name],
  ): Promise<void> | undefined {
    const row = this.#agentMethod(name, "notification");
    if (row === undefined) throw new TypeError(`the protocol has no agent notification named ${name}`);
    return this.#connection.notify(row.method, params);
  }

  /** A request outside the protocol. The result comes as it is. */
  extRequest(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#connection.request(method, params, null, options);
  }

  /** A notification outside the protocol. */
  extNotify(method: string, params: unknown): Promise<void> | undefined {
    return this.#connection.notify(method, params);
  }

  /** Ends the connection, and with it a spawned agent. */
  close(cause?: Error): Promise<void> {
    return this.#connection.close(cause);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // ---- handlers ----

  #handlerOf(row: Method): RequestHandler | undefined {
    const handler = this.#handler(row.name);
    if (row.name === "update") return (params) => this.#onUpdate(params as Notification<UpdateOf<Types>>);
    if (row.name !== "requestPermission") return handler;
    const ask = (handler ?? refusePermission) as PermissionHandler;
    return (params, context) => this.#onPermission(params as RequestPermissionRequest, context, ask);
  }

  #handler(name: string): RequestHandler | undefined {
    return (this.#handlers as { [name: string]: RequestHandler | undefined })[name];
  }

  #onPermission(params: RequestPermissionRequest, context: RequestContext, ask: PermissionHandler) {
    if (this.#turns.isCancelled(params.sessionId)) return CANCELLED;
    return this.#permissions.ask(params, context, ask);
  }

  #onUpdate(params: Notification<UpdateOf<Types>>): unknown {
    this.#turns.push(params.sessionId, params.update);
    return this.#updateHandler?.(params);
  }

  #advertise(): ClientCapabilities {
    const handled = handledCapabilities(this.#methods, (name) => this.#handler(name) !== undefined);
    return mergeCapabilities(handled, { ...this.#options.capabilities });
  }

  // ---- turns and calls ----

  #stalled(unread: number): void {
    const message = `${unread} updates of a turn are unread and nobody reads; input goes on`;
    this.#options.onDiagnostic?.({ type: "handlers-stalled", message });
  }

  #agentMethod(name: string, kind: Method["kind"]): Method | undefined {
    return this.#methods.find((one) => one.name === name && one.kind === kind && one.side === "agent");
  }
}

/** The client's end of a connection that speaks ACP v1 as released. */
export class AcpClient extends ClientSide<V1> {}

interface Notification<Update> {
  readonly sessionId: string;
  readonly update: Update;
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof RpcError) || error.code !== errorCodes.resourceNotFound) throw error;
}
