// Sends without awaiting until it is refused, and tells on stderr how far it came and how large it grew.

import { LocalError } from "@agentao/acp";
import { serveStdio } from "@agentao/acp/node";

serveStdio((agent) => ({
  newSession: () => ({ sessionId: "s" }),
  prompt: ({ sessionId }) => {
    const content = { type: "text" as const, text: "x".repeat(1000) };
    let sent = 0;
    let refusal = "none";
    try {
      for (; sent < 1_000_000; sent++) void agent.update(sessionId, { sessionUpdate: "agent_message_chunk", content });
    } catch (cause) {
      refusal = cause instanceof LocalError ? cause.type : String(cause);
    }
    process.stderr.write(JSON.stringify({ sent, refusal, rssMb: Math.round(process.memoryUsage.rss() / 1e6) }));
    return { stopReason: "end_turn" };
  },
}));
