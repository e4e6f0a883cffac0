// What an agent does with the calls that our library has besides `request`: files, a terminal, a question, a form.

import type { AgentSide, RequestPermissionRequest, V1 } from "@agentao/acp";

export type OurAgent = AgentSide<V1>;

const sessionId = "sess-1";
const question: RequestPermissionRequest = {
  sessionId,
  toolCall: { toolCallId: "call-1" },
  options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }],
};

/** Answers what the calls answered. */
export async function useShorthand(agent: OurAgent): Promise<unknown> {
  const text = await agent.readTextFile({ sessionId, path: "/a.ts" });
  await agent.writeTextFile({ sessionId, path: "/b.ts", content: text });
  const terminal = await useTerminal(agent);
  const permissions = [];
  for (const _ of ["allowed", "cancelled", "not offered", "failed"]) {
    permissions.push((await agent.requestPermission(question)) ?? "not allowed");
  }
  const requestedSchema = { type: "object", properties: {} } as const;
  const form = await agent.elicit({ mode: "form", sessionId, message: "Name?", requestedSchema });
  const url = "https://example.com/";
  const page = await agent
    .elicit({ mode: "url", sessionId, elicitationId: "e1", url, message: "Go" })
    .catch((cause: Error) => cause.message);
  await agent.update(sessionId, { sessionUpdate: "compaction_update", compactionId: "c1", status: "in_progress" });
  await agent.update(sessionId, { sessionUpdate: "notice", severity: "info", title: "This client shows notices" });
  return { text, terminal, permissions, form, page };
}

async function useTerminal(agent: OurAgent): Promise<unknown> {
  await using terminal = await agent.createTerminal({ sessionId, command: "make", args: ["all"] });
  const output = await terminal.output();
  await terminal.kill();
  return { id: terminal.id, output, exit: await terminal.waitForExit() };
}
