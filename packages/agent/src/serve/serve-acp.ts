// The runtime behind an ACP connection. The handshake is answered here; everything else waits for the desk, which is
// loaded while the client reads our answer.

import type { Implementation, ResumeSessionRequest, Stream } from "@agentao/acp";
import { AcpAgent, decodeResumeSessionRequest, explain, INVALID, RpcError } from "@agentao/acp";
import type { Runtime } from "../session/runtime.ts";
import type { Desk, ResumeWish } from "./desk.ts";
import { ASK_USER, SET_MODEL } from "./extension.ts";

export interface ServeOptions {
  readonly info: Implementation;
  /** The first `session/new` goes on with a stored session: this one, or the newest of its folder. */
  readonly resume?: ResumeWish | undefined;
  /** Hears what went wrong and was survived, in words, for a log. Must not throw. */
  readonly onDiagnostic?: ((message: string) => void) | undefined;
  /** Hears that a turn has ended and its answer is on its way. Must not throw. */
  readonly onTurn?: (() => void) | undefined;
}

/** Serves until the client goes. Closing the runtime is up to whoever made it; it may be made when it is first needed. */
export function serveAcp(runtime: Runtime | (() => Promise<Runtime>), stream: Stream, options: ServeOptions): AcpAgent {
  let loading: Promise<Desk> | undefined;
  let signedOut = false;

  const desk = (): Promise<Desk> => {
    loading ??= openDesk(runtime, agent, options);
    return loading;
  };
  /** For what opens a session. */
  const signedIn = (): Promise<Desk> => {
    if (signedOut) throw RpcError.authRequired("You are signed out. Sign in again to open a session.");
    return desk();
  };

  const agent: AcpAgent = new AcpAgent(
    stream,
    {
      initialize: (_, context) => {
        context.afterResponse(() => void desk().catch(() => {}));
        return { _meta: { "_agentao.cn/extensions": EXTENSIONS } };
      },
      authenticate: ({ methodId }) => {
        if (methodId !== AUTH_METHOD.id) {
          throw RpcError.invalidParams(`Invalid params: there is no sign-in method "${methodId}"`);
        }
        signedOut = false;
      },
      logout: () => {
        signedOut = true;
      },
      newSession: async (params, context) => (await signedIn()).newSession(params, context),
      loadSession: async (params, context) => (await signedIn()).loadSession(params, context),
      resumeSession: async (params, context) => (await signedIn()).resumeSession(params, context),
      listSessions: async (params) => (await desk()).listSessions(params),
      closeSession: async (params) => (await desk()).closeSession(params),
      deleteSession: async (params) => (await desk()).deleteSession(params),
      prompt: async (params, context) => {
        if (options.onTurn !== undefined) context.afterResponse(options.onTurn);
        return (await desk()).prompt(params, context);
      },
      cancel: async (params) => (await desk()).cancel(params),
      setMode: async (params) => (await desk()).setMode(params),
      setConfigOption: async (params) => (await desk()).setConfigOption(params),
      extRequests: {
        "session/fork": async (params, context) => (await signedIn()).forkSession(readFork(params), context),
        "session/cancel": async (params) => (await desk()).cancelRequest(params),
        [SET_MODEL]: async (params) => (await desk()).setModel(params, ["sessionId", "model"]),
        "session/set_model": async (params) => (await desk()).setModel(params, SET_MODEL_FIELDS),
        "session/list_models": async (params) => (await desk()).listModels(params),
      },
    },
    {
      info: options.info,
      authMethods: [AUTH_METHOD],
      capabilities: {
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { additionalDirectories: {}, ...FORK },
      },
      notInitialized: RpcError.resourceNotFound("Not initialized: send initialize first", {
        reason: "not_initialized",
      }),
      onDiagnostic: ({ message }) => options.onDiagnostic?.(message),
      drainMs: DRAIN_MS,
    },
  );
  return agent;
}

/** Turns end at once when the client goes; whatever does not is left behind. */
const DRAIN_MS = 500;

async function openDesk(
  runtime: Runtime | (() => Promise<Runtime>),
  agent: AcpAgent,
  { resume, onDiagnostic }: ServeOptions,
): Promise<Desk> {
  const [{ Desk }, made] = await Promise.all([
    import("./desk.ts"),
    typeof runtime === "function" ? runtime() : runtime,
  ]);
  return new Desk(made, agent, { resume, onDiagnostic });
}

const AUTH_METHOD = {
  id: "environment",
  name: "Keys from the environment",
  description: "agentao reads provider keys such as OPENAI_API_KEY from its environment; nothing is sent here.",
};

const EXTENSIONS = [
  { method: ASK_USER, description: "Asks the person a question in free form." },
  { method: SET_MODEL, description: "Changes the model of a session." },
];

/** Of the method that older clients know. */
const SET_MODEL_FIELDS = ["sessionId", "model", "modelId", "contextLength", "maxTokens"];

/** Forking is not released yet, so the stable protocol knows neither its method nor its capability. */
const FORK: object = { fork: {} };

/** The params of a fork are those of a resume. */
function readFork(params: unknown): ResumeSessionRequest {
  const read = decodeResumeSessionRequest(params ?? {});
  if (read === INVALID) throw RpcError.invalidParams(`Invalid params: ${explain()}`);
  return read;
}
