// A client of the official SDK that plays its part of a script with the agent whose program it is given, and prints what
// both sides heard.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import {
  CLIENT_METHODS,
  type ClientContext,
  type ClientRequestMethod,
  client,
  ndJsonStream,
  RequestError,
} from "@agentclientprotocol/sdk";
import { REPORT } from "./exchange.ts";
import { type PairReport, Part, type PartReport, type Peer, type Question } from "./part.ts";
import { givenScript } from "./scripts.ts";

const UPDATE = "session/update";
const COMPLETE = "elicitation/complete";

const script = givenScript();
const [program = "", ...args] = process.argv.slice(3);
const part = new Part("client", script);
const asIs = (params: unknown): unknown => params;
const app = client({ name: "interop-client" });

app.onNotification(UPDATE, ({ params }) => part.hear(UPDATE, params));
app.onNotification(COMPLETE, ({ params }) => part.hear(COMPLETE, params));
for (const method of Object.values(CLIENT_METHODS)) {
  if (method !== UPDATE && method !== COMPLETE) app.onRequest(method as ClientRequestMethod, answer as never);
}
for (const method of part.extRequests) app.onRequest(method, asIs, answer);
for (const method of part.extNotifications) {
  app.onNotification(method, asIs, ({ params }) => part.hear(method, params));
}

const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const ended = once(child, "close");
const pipes = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
const agent = await app.connectWith(pipes, async (context) => {
  await part.play(script, toPeer(context));
  return await context.request<PartReport>(REPORT, {});
});
child.stdin.end();
const [exitCode, signal] = await ended;
const exit = { exitCode, signal };
console.log(JSON.stringify({ client: part.report(), agent, exit } satisfies PairReport));

function answer({ agent, ...question }: Question & { agent: ClientContext }): Promise<unknown> {
  return part.answer(question, toPeer(agent));
}

function toPeer(agent: ClientContext): Peer {
  return {
    request: (method, params, signal) => agent.request(method, params, { cancellationSignal: signal }),
    notify: (method, params) => agent.notify(method, params),
    toError: ({ code, message, data }) => new RequestError(code, message, data),
  };
}
