// The smallest agent: it says what it was told.

import { randomUUID } from "node:crypto";
import { serveStdio } from "@agentao/acp/agent";

serveStdio(
  (agent) => ({
    newSession: () => ({ sessionId: randomUUID() }),
    prompt: async ({ sessionId, prompt }) => {
      for (const block of prompt) {
        if (block.type !== "text") continue;
        const content = { type: "text" as const, text: `Echo: ${block.text}` };
        await agent.update(sessionId, { sessionUpdate: "agent_message_chunk", content });
      }
      return { stopReason: "end_turn" };
    },
  }),
  { info: { name: "echo-agent", version: "1.0.0" } },
);
