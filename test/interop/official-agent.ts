// An agent of the official SDK that plays its part of a script.

import { Readable, Writable } from "node:stream";
import {
  AGENT_METHODS,
  type AgentContext,
  type AgentRequestMethod,
  agent,
  ndJsonStream,
  RequestError,
} from "@agentclientprotocol/sdk";
import { REPORT } from "./exchange.ts";
import { Part, type Peer, type Question } from "./part.ts";
import { givenScript } from "./scripts.ts";

const CANCEL = "session/cancel";

const part = new Part("agent", givenScript());
const asIs = (params: unknown): unknown => params;
const app = agent({ name: "interop-agent" });
let cancelTurn = (): void => {};

app.onNotification(CANCEL, ({ params }) => {
  part.hear(CANCEL, params);
  cancelTurn();
});
for (const method of Object.values(AGENT_METHODS)) {
  if (method !== CANCEL) app.onRequest(method as AgentRequestMethod, answer as never);
}
for (const method of part.extRequests) app.onRequest(method, asIs, answer);
for (const method of part.extNotifications) {
  app.onNotification(method, asIs, ({ params }) => part.hear(method, params));
}
app.onRequest(REPORT, asIs, () => part.report());

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));

function answer({ client, ...question }: Question & { client: AgentContext }): Promise<unknown> {
  const turnCancelled = new Promise<void>((resolve) => {
    if (question.method === "session/prompt") cancelTurn = resolve;
  });
  return part.answer({ ...question, turnCancelled: () => turnCancelled }, toPeer(client));
}

function toPeer(client: AgentContext): Peer {
  return {
    request: (method, params, signal) => client.request(method, params, { cancellationSignal: signal }),
    notify: (method, params) => client.notify(method, params),
    toError: ({ code, message, data }) => new RequestError(code, message, data),
  };
}
