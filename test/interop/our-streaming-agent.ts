// An agent of our library whose every turn is a burst of updates, as many as the prompt says, and then the answer.

import { serveStdio } from "@agentao/acp/node";
import { burstOf } from "./burst.ts";

serveStdio((agent) => ({
  newSession: () => ({ sessionId: "sess-1" }),
  prompt: async ({ sessionId, prompt }) => {
    for (const { update, isAwaited } of burstOf(prompt)) {
      const sent = agent.update(sessionId, update);
      if (isAwaited) await sent;
    }
    return { stopReason: "end_turn" };
  },
}));
