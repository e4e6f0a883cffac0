// An agent of our library that plays its part of a script. Its answer to the handshake is what the library makes of its
// handlers and options; of the script's answer it only uses `_meta`.

import {
  type AgentHandlers,
  type InitializeResponse,
  methods,
  type RequestContext,
  RpcError,
  type SessionNotification,
} from "@agentao/acp";
import { serveStdio } from "@agentao/acp/node";
import { greeting } from "./every-method.ts";
import { REPORT } from "./exchange.ts";
import { type OurAgent, useShorthand } from "./our-shorthand.ts";
import { fired, Part, type Peer, type Question } from "./part.ts";
import { givenScript } from "./scripts.ts";

const part = new Part("agent", givenScript());
const diagnostics: string[] = [];

serveStdio((agent) => handlersFor(agent), {
  info: greeting.agentInfo ?? undefined,
  authMethods: greeting.authMethods,
  capabilities: {
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { additionalDirectories: {} },
  },
  onDiagnostic: ({ message }) => diagnostics.push(message),
});

function handlersFor(agent: OurAgent): AgentHandlers {
  const peer = toPeer(agent);
  const answer = (method: string) => (params: unknown, context: RequestContext) =>
    part.answer(toQuestion(method, params, context), peer);
  const hear = (method: string) => (params: unknown) => part.hear(method, params);
  const rows = Object.values(methods).filter(({ side }) => side === "agent");
  const handlers = rows.map(({ name, kind, method }) => [name, kind === "request" ? answer(method) : hear(method)]);
  return {
    ...(Object.fromEntries(handlers) as AgentHandlers),
    initialize: async (params, context) => {
      const { _meta } = (await answer("initialize")(params, context)) as InitializeResponse;
      return { _meta };
    },
    extRequests: {
      ...Object.fromEntries(part.extRequests.map((method) => [method, answer(method)])),
      "_example.com/shorthand": () => useShorthand(agent),
      [REPORT]: () => part.report(diagnostics),
    },
    extNotifications: Object.fromEntries(part.extNotifications.map((method) => [method, hear(method)])),
  };
}

function toPeer(agent: OurAgent): Peer {
  return {
    request: (method, params, signal) => {
      const options = { signal, onAbort: "wait" } as const;
      if (method.startsWith("_")) return agent.extRequest(method, params, options);
      return agent.request(nameOf(method) as "readTextFile", params as never, options);
    },
    notify: (method, params) => {
      if (method.startsWith("_")) return agent.extNotify(method, params);
      if (method === "session/update" && !Object.hasOwn(params as object, "_meta")) {
        const { sessionId, update } = params as SessionNotification;
        return agent.update(sessionId, update);
      }
      return agent.notify(nameOf(method) as "update", params as never);
    },
    toError: ({ code, message, data }) => new RpcError(code, message, data),
  };
}

/** A cancelled turn is left by throwing: the library answers for it. */
function toQuestion(method: string, params: unknown, context: RequestContext): Question {
  const turnCancelled = () => fired(context.signal).then(() => Promise.reject(context.signal.reason));
  return { method, params, signal: context.signal, turnCancelled };
}

function nameOf(method: string): string {
  return methods[method as keyof typeof methods].name;
}
