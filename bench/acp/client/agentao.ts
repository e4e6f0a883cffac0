// The client under test on @agentao/acp, as its README shows.

import { spawnAgent } from "@agentao/acp/node";
import { runClient } from "../job/client-job.ts";

await runClient(async (agent, onUpdate) => {
  const client = await spawnAgent(agent, { update: ({ update }) => onUpdate(update) });
  await client.initialize();
  const { sessionId } = await client.newSession({ cwd: process.cwd() });
  return {
    agentPid: client.process.pid,
    prompt: (text) => client.prompt(sessionId, text).result,
    load: () => client.loadSession({ sessionId, cwd: process.cwd() }),
    extRequest: (method, params) => client.extRequest(method, params),
    close: async () => {
      await client.close();
      await client.process.exited;
    },
  };
});
