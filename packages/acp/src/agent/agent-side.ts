// The agent's end of a connection: answers what clients ask through handlers, and offers what an agent may ask of its
// client. It keeps the protocol's promises for its handlers: the handshake, what was advertised, cancellation.

import { LocalError } from "../error/local-error.ts";
import { RpcError } from "../error/rpc-error.ts";
import { Connection } from "../rpc/connection.ts";
import type { OnDiagnostic } from "../rpc/diagnostic.ts";
import {
  type Awaitable,
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
import { v1ForAgents } from "../v1/agent-protocol.ts";
import { hasCapability, mergeCapabilities, toCapabilities } from "../v1/capability.ts";
import type {
  AgentCapabilities,
  AuthMethod,
  CancelNotification,
  ClientCapabilities,
  CloseSessionRequest,
  CreateElicitationRequest,
  CreateElicitationResponse,
  CreateTerminalRequest,
  Implementation,
  InitializeRequest,
  InitializeResponse,
  PermissionOption,
  PromptRequest,
  ReadTextFileRequest,
  RequestPermissionRequest,
  SessionUpdate,
  WriteTextFileRequest,
} from "../v1/generated/type.ts";
import type { Method } from "../v1/method.ts";
import type { ParamsOf, Protocol, ProtocolTypes, ResultOf, UpdateOf, V1 } from "../v1/protocol.ts";
import { OpenPrompts } from "./open-prompts.ts";
import { checkPrompt } from "./prompt-content.ts";
import { Terminal } from "./terminal.ts";

/** What an agent does, by method. Optional methods that have a handler are advertised, those without are refused. */
export type AgentHandlers<Types extends ProtocolTypes = V1> = Omit<
  RequestHandlers<Types["agentRequests"]>,
  "initialize" | "newSession" | "prompt"
> &
  Required<Pick<RequestHandlers<Types["agentRequests"]>, "newSession" | "prompt">> &
  NotificationHandlers<Types["agentNotifications"]> &
  ExtensionHandlers & {
    /** What it returns is laid over the answer that the options and handlers add up to. */
    initialize?(params: InitializeRequest, context: RequestContext): Awaitable<Partial<InitializeResponse> | undefined>;
  };

/** The handlers, or a function that makes them for the agent whose `update` and requests they will use. */
export type HandlersFor<Types extends ProtocolTypes = V1> =
  | AgentHandlers<Types>
  | ((agent: AgentSide<Types>) => AgentHandlers<Types>);

export interface AgentOptions<Types extends ProtocolTypes = V1> {
  readonly info?: Implementation | undefined;
  /** Laid over what the handlers add up to: prompt and MCP capabilities, or `null` to hide a method. */
  readonly capabilities?: AgentCapabilities | undefined;
  readonly authMethods?: readonly AuthMethod[] | undefined;
  /** Which methods exist; the released ones unless told otherwise. */
  readonly protocol?: Protocol<Types> | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  /** How long handlers may go on after the client has gone. */
  readonly drainMs?: number | undefined;
  /** The answer to requests before `initialize`. */
  readonly notInitialized?: RpcError | undefined;
}

export class AgentSide<Types extends ProtocolTypes> {
  readonly #connection: Connection;
  readonly #handlers: AgentHandlers<Types>;
  readonly #options: AgentOptions<Types>;
  readonly #methods: readonly Method[];
  readonly #routes = new RouteTable();
  readonly #prompts = new OpenPrompts();
  #clientCapabilities: ClientCapabilities | undefined;
  #clientInfo: Implementation | undefined;
  #agentCapabilities: AgentCapabilities = {};
  // An `initialize` that takes its time; requests behind it wait for it.
  #initializing: Promise<unknown> | undefined;

  constructor(stream: Stream, handlers: HandlersFor<Types>, options: AgentOptions<Types> = {}) {
    this.#handlers = typeof handlers === "function" ? handlers(this) : handlers;
    this.#options = options;
    this.#methods = (options.protocol ?? v1ForAgents).methods;
    this.#addRoutes();
    this.#connection = new Connection(stream, this.#routes, {
      onDiagnostic: options.onDiagnostic,
      drainMs: options.drainMs,
    });
  }

  /** Resolves, never rejects, when the connection has ended; the value says why. */
  get closed(): Promise<Error> {
    return this.#connection.closed;
  }

  /** Null until `initialize` was answered. */
  get clientCapabilities(): ClientCapabilities | null {
    return this.#clientCapabilities ?? null;
  }

  get clientInfo(): Implementation | undefined {
    return this.#clientInfo;
  }

  /** Whether the client advertised a capability, by its path: `terminal`, `fs.readTextFile`, `session.notices`. */
  clientSupports(path: string): boolean {
    return hasCapability(this.#clientCapabilities, path);
  }

  /**
   * Tells the client what happens in a session. Returns nothing while there is room, else a promise for room: await it
   * and memory stays bounded. Updates of a kind the client did not ask for are not sent.
   */
  update(sessionId: string, update: UpdateOf<Types>): Promise<void> | undefined {
    if (!this.#isWanted(update as SessionUpdate)) return undefined;
    return this.#connection.notify("session/update", { sessionId, update });
  }

  /**
   * Asks the person. Answers the option that was chosen, or nothing: then the call is not approved, be it cancelled,
   * answered with an option that was not offered, with an error, or not at all because the connection ended.
   */
  async requestPermission(
    params: RequestPermissionRequest,
    options?: RequestOptions,
  ): Promise<PermissionOption | undefined> {
    try {
      const { outcome } = await this.request("requestPermission", params, options);
      if (outcome.outcome !== "selected") return undefined;
      return params.options.find((option) => option.optionId === outcome.optionId);
    } catch {
      return undefined;
    }
  }

  async readTextFile(params: ReadTextFileRequest, options?: RequestOptions): Promise<string> {
    return (await this.request("readTextFile", params, options)).content;
  }

  async writeTextFile(params: WriteTextFileRequest, options?: RequestOptions): Promise<void> {
    await this.request("writeTextFile", params, options);
  }

  /** Starts a command in the client's terminal. Release the handle, or let `await using` do it. */
  async createTerminal(params: CreateTerminalRequest, options?: RequestOptions): Promise<Terminal> {
    const { terminalId } = await this.request("createTerminal", params, options);
    return new Terminal(params.sessionId, terminalId, {
      output: (at, how) => this.request("terminalOutput", at, how),
      waitForExit: (at, how) => this.request("waitForTerminalExit", at, how),
      kill: (at, how) => this.request("killTerminal", at, how),
      release: (at, how) => this.request("releaseTerminal", at, how),
    });
  }

  /** Asks the person for input. Refused here when the client did not advertise the mode. */
  elicit(params: CreateElicitationRequest, options?: RequestOptions): Promise<CreateElicitationResponse> {
    if (!this.clientSupports(`elicitation.${params.mode}`)) {
      return Promise.reject(unsupported("elicitation/create", `elicitation.${params.mode}`));
    }
    return this.request("createElicitation", params, options);
  }

  /** Any request of the protocol by its handler name. Rejects with `unsupported` when the client cannot take it. */
  request<Name extends keyof V1["clientRequests"]>(
    name: Name,
    params: V1["clientRequests"][Name]["params"],
    options?: RequestOptions,
  ): Promise<V1["clientRequests"][Name]["result"]>;
  request<Name extends keyof Types["clientRequests"] & string>(
    name: Name,
    params: ParamsOf<Types["clientRequests"][Name]>,
    options?: RequestOptions,
  ): Promise<ResultOf<Types["clientRequests"][Name]>>;
  request(name: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    const row = this.#clientMethod(name, "request");
    if (row === undefined) return Promise.reject(new TypeError(`the protocol has no client request named ${name}`));
    if (row.gate !== null && !this.clientSupports(row.gate.path)) {
      return Promise.reject(unsupported(row.method, row.gate.path));
    }
    return this.#connection.request(row.method, params, row.result, options);
  }

  /** Any notification of the protocol by its handler name. Throws `unsupported` when the client cannot take it. */
  notify<Name extends keyof Types["clientNotifications"] & string>(
    name: Name,
    params: Types["clientNotifications"][Name],
  ): Promise<void> | undefined {
    const row = this.#clientMethod(name, "notification");
    if (row === undefined) throw new TypeError(`the protocol has no client notification named ${name}`);
    const { gate, method } = row;
    if (gate?.of === "client" && !this.clientSupports(gate.path)) throw unsupported(method, gate.path);
    if (name === "update" && !this.#isWanted((params as { update: SessionUpdate }).update)) return undefined;
    return this.#connection.notify(method, params);
  }

  /** A request outside the protocol. The result comes as it is. */
  extRequest(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#connection.request(method, params, null, options);
  }

  /** A notification outside the protocol. */
  extNotify(method: string, params: unknown): Promise<void> | undefined {
    return this.#connection.notify(method, params);
  }

  /** Resolves when all that was sent has left this process. */
  flush(): Promise<void> {
    return this.#connection.flush();
  }

  close(cause?: Error): Promise<void> {
    return this.#connection.close(cause);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // ---- handlers ----

  #addRoutes(): void {
    this.#routes.addSide("agent", this.#methods, (row) => this.#handlerOf(row));
    const { extRequests = {}, extNotifications } = this.#handlers;
    const guarded = Object.entries(extRequests).map(([method, handle]) => [method, this.#afterHandshake(handle)]);
    this.#routes.addExtensions({ extRequests: Object.fromEntries(guarded), extNotifications });
  }

  #handlerOf(row: Method): RequestHandler | undefined {
    if (row.name === "initialize") return (params, context) => this.#initialize(params as InitializeRequest, context);
    if (row.name === "cancel") return (params) => this.#cancel(params as CancelNotification);
    const handler = this.#handler(row.name);
    return handler === undefined || row.kind === "notification" ? handler : this.#guarded(row, handler);
  }

  #handler(name: string): RequestHandler | undefined {
    return (this.#handlers as { [name: string]: RequestHandler | undefined })[name];
  }

  /** What the handshake did not advertise is not handled. */
  #guarded(row: Method, handler: RequestHandler): RequestHandler {
    const handle = this.#withCancellation(row, handler);
    return this.#afterHandshake((params, context) => {
      if (row.gate !== null && !hasCapability(this.#agentCapabilities, row.gate.path)) {
        throw RpcError.methodNotFound(row.method);
      }
      return handle(params, context);
    });
  }

  /** Nothing is handled before the handshake; what came while it was under way waits for it. */
  #afterHandshake(handle: RequestHandler): RequestHandler {
    const guarded: RequestHandler = (params, context) => {
      if (this.#clientCapabilities !== undefined) return handle(params, context);
      throw this.#options.notInitialized ?? RpcError.invalidRequest("Invalid request: initialize comes first");
    };
    return (params, context) => {
      const first = this.#initializing;
      if (first === undefined || this.#clientCapabilities !== undefined) return guarded(params, context);
      const later = (): unknown => guarded(params, context);
      return first.then(later, later);
    };
  }

  #withCancellation(row: Method, handler: RequestHandler): RequestHandler {
    if (row.name === "prompt") return (params, context) => this.#prompt(params as PromptRequest, context, handler);
    if (row.name !== "closeSession" && row.name !== "deleteSession") return handler;
    return (params, context) => {
      this.#prompts.cancel((params as CloseSessionRequest).sessionId);
      return handler(params, context);
    };
  }

  /** Answered before anything behind it is looked at: clients may send on without waiting for the answer. */
  #initialize(params: InitializeRequest, context: RequestContext): Awaitable<InitializeResponse> {
    const own = this.#handlers.initialize?.(params, context);
    if (own === undefined || !("then" in own)) return this.#introduce(params, own);
    const answered = Promise.resolve(own).then((answer) => this.#introduce(params, answer));
    this.#initializing = answered;
    return answered;
  }

  #introduce(params: InitializeRequest, own: Partial<InitializeResponse> | undefined): InitializeResponse {
    const { info, authMethods = [], protocol = v1ForAgents } = this.#options;
    const response: InitializeResponse = {
      // A version we do not speak is answered with the one we do; it is the client that decides then.
      protocolVersion: protocol.version,
      agentCapabilities: this.#advertise(),
      authMethods,
      ...(info && { agentInfo: info }),
      ...own,
    };
    this.#agentCapabilities = response.agentCapabilities ?? {};
    this.#clientCapabilities = params.clientCapabilities ?? {};
    this.#clientInfo = params.clientInfo ?? undefined;
    return response;
  }

  #advertise(): AgentCapabilities {
    const paths: string[] = [];
    for (const { gate, side, name } of this.#methods) {
      if (side === "agent" && gate?.of === "agent" && this.#handler(name) !== undefined) paths.push(gate.path);
    }
    return mergeCapabilities(toCapabilities(paths), { ...this.#options.capabilities });
  }

  #prompt(params: PromptRequest, context: RequestContext, handler: RequestHandler): unknown {
    checkPrompt(params.prompt, this.#agentCapabilities.promptCapabilities);
    return this.#prompts.run(params.sessionId, context, () => handler(params, context));
  }

  #cancel(params: CancelNotification): unknown {
    this.#prompts.cancel(params.sessionId);
    return (this.#handler("cancel") as NotificationHandler | undefined)?.(params);
  }

  // ---- calls ----

  #clientMethod(name: string, kind: Method["kind"]): Method | undefined {
    return this.#methods.find((one) => one.name === name && one.kind === kind && one.side === "client");
  }

  #isWanted(update: SessionUpdate): boolean {
    switch (update.sessionUpdate) {
      case "notice":
        return this.clientSupports("session.notices");
      case "compaction_update":
      case "compaction_summary_chunk":
        return this.clientSupports("session.compaction");
      default:
        return true;
    }
  }
}

/** The agent's end of a connection that speaks ACP v1 as released. */
export class AcpAgent extends AgentSide<V1> {}

function unsupported(method: string, path: string): LocalError {
  return new LocalError("unsupported", `the client did not advertise ${path}, which ${method} needs`);
}
