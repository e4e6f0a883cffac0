// A client of our library that plays its part of a script with the agent whose program it is given, and prints what both
// sides heard. What it tells of itself in the handshake is what the library makes of its handlers and options.

import { type ClientHandlers, methods, type RequestContext, RpcError } from "@agentao/acp";
import { type SpawnedClient, spawnAgent } from "@agentao/acp/node";
import { opening } from "./every-method.ts";
import { REPORT } from "./exchange.ts";
import { type PairReport, Part, type PartReport, type Peer } from "./part.ts";
import { givenScript } from "./scripts.ts";

const script = givenScript();
const command = process.argv.slice(3) as [string, ...string[]];
const part = new Part("client", script);
const diagnostics: string[] = [];

const client: SpawnedClient = await spawnAgent(command, handlersOf(), {
  info: opening.clientInfo ?? undefined,
  capabilities: {
    session: { compaction: {}, configOptions: { boolean: {} }, notices: {} },
    auth: { terminal: true },
    elicitation: { url: {} },
  },
  onDiagnostic: ({ message }) => diagnostics.push(message),
  onStderr: (text) => process.stderr.write(text),
});

await part.play(script, toPeer());
const agent = (await client.extRequest(REPORT, {})) as PartReport;
await client.close();
const exit = await client.process.exited;
console.log(JSON.stringify({ client: part.report(diagnostics), agent, exit } satisfies PairReport));

function handlersOf(): ClientHandlers {
  const answer =
    (method: string) =>
    (params: unknown, { signal }: RequestContext) =>
      part.answer({ method, params, signal }, toPeer());
  const hear = (method: string) => (params: unknown) => part.hear(method, params);
  const rows = Object.values(methods).filter(({ side }) => side === "client");
  const handlers = rows.map(({ name, kind, method }) => [name, kind === "request" ? answer(method) : hear(method)]);
  return {
    ...(Object.fromEntries(handlers) as ClientHandlers),
    extRequests: Object.fromEntries(part.extRequests.map((method) => [method, answer(method)])),
    extNotifications: Object.fromEntries(part.extNotifications.map((method) => [method, hear(method)])),
  };
}

function toPeer(): Peer {
  return {
    request: (method, params, signal) => {
      const options = { signal, onAbort: "wait" } as const;
      if (method.startsWith("_")) return client.extRequest(method, params, options);
      if (method === "initialize") return client.initialize({ _meta: opening._meta });
      return client.request(nameOf(method) as "newSession", params as never, options);
    },
    notify: (method, params) => {
      if (method.startsWith("_")) return client.extNotify(method, params);
      return client.cancel((params as { sessionId: string }).sessionId);
    },
    toError: ({ code, message, data }) => new RpcError(code, message, data),
  };
}

function nameOf(method: string): string {
  return methods[method as keyof typeof methods].name;
}
