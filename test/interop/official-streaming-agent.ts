// An agent of the official SDK whose every turn is a burst of updates, as many as the prompt says, and then the answer.

import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, type SessionUpdate } from "@agentclientprotocol/sdk";
import { burstOf } from "./burst.ts";

agent({ name: "streaming-agent" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: "sess-1" }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    for (const { update, isAwaited } of burstOf(prompt)) {
      const sent = client.notify(methods.client.session.update, { sessionId, update: update as SessionUpdate });
      if (isAwaited) await sent;
    }
    return { stopReason: "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));
