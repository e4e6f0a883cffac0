// The client under test on @agentclientprotocol/sdk, as its README and example show. `session/update` is registered
// first: its handlers are asked one after the other in the order of registration.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { runClient } from "../job/client-job.ts";

const { methods } = acp;

await runClient(async ([program, ...args], onUpdate) => {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const connection = acp
    .client({ name: "bench-client" })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update))
    .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: "cancelled" } }))
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const { agent } = connection;
  const cwd = process.cwd();
  await agent.request(methods.agent.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  return {
    agentPid: child.pid ?? 0,
    prompt: (text) => agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }),
    load: () => agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] }),
    extRequest: (method, params) => agent.request(method, params),
    close: async () => {
      connection.close();
      child.stdin.end();
      await exited;
    },
  };
});
