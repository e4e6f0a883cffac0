// The agent under test on @agentclientprotocol/sdk, as its README shows. It asks its handlers one after the other in the
// order of registration: the one that is called most comes first.

import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { PING, PREPARE, prepare, REPLAYED, stream, toCount, USAGE, usage } from "../job/agent-job.ts";

const asIs = (params: unknown): unknown => params;
const { methods } = acp;

acp
  .agent({ name: "bench-agent" })
  .onRequest(PING, asIs, ({ params }) => params)
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true },
  }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "bench-session" }))
  .onRequest(methods.agent.session.load, async ({ client, params: { sessionId } }) => {
    await stream(REPLAYED, (update) => client.notify(methods.client.session.update, { sessionId, update }));
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId, prompt } }) => {
    await stream(toCount(prompt), (update) => client.notify(methods.client.session.update, { sessionId, update }));
    return { stopReason: "end_turn" };
  })
  .onRequest(PREPARE, asIs, ({ params }) => prepare(params))
  .onRequest(USAGE, asIs, () => usage())
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
