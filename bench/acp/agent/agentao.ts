// The agent under test on @agentao/acp, as its README shows.

import { serveStdio } from "@agentao/acp/agent";
import { PING, PREPARE, prepare, REPLAYED, stream, toCount, USAGE, usage } from "../job/agent-job.ts";

serveStdio((agent) => ({
  newSession: () => ({ sessionId: "bench-session" }),
  loadSession: async ({ sessionId }) => {
    await stream(REPLAYED, (update) => agent.update(sessionId, update));
    return {};
  },
  prompt: async ({ sessionId, prompt }) => {
    await stream(toCount(prompt), (update) => agent.update(sessionId, update));
    return { stopReason: "end_turn" };
  },
  extRequests: { [PING]: (params) => params, [PREPARE]: prepare, [USAGE]: usage },
}));
