// An agent that asks before it acts: it offers to write a note and to run a command, through its client.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type AcpAgent, type PermissionOption, serveStdio, type ToolCallUpdate } from "@agentao/acp/agent";

const folders = new Map<string, string>();

serveStdio(
  (agent) => ({
    newSession: ({ cwd }) => {
      const sessionId = randomUUID();
      folders.set(sessionId, cwd);
      return { sessionId };
    },
    prompt: async ({ sessionId }, { signal }) => {
      const path = join(folders.get(sessionId) ?? "/", "note.txt");
      const write = { toolCallId: randomUUID(), title: `Write ${path}`, kind: "edit" as const };
      if (await allowed(agent, sessionId, write, signal)) {
        await agent.writeTextFile({ sessionId, path, content: "Written by an agent that asked first.\n" }, { signal });
        await finish(agent, sessionId, write.toolCallId, "The note is written.");
      }

      const run = { toolCallId: randomUUID(), title: "cat note.txt", kind: "execute" as const };
      if (await allowed(agent, sessionId, run, signal)) {
        await using terminal = await agent.createTerminal({ sessionId, command: "cat", args: [path] }, { signal });
        await terminal.waitForExit({ signal });
        const { output } = await terminal.output();
        await finish(agent, sessionId, run.toolCallId, output);
      }
      return { stopReason: "end_turn" };
    },
  }),
  { info: { name: "permission-agent", version: "1.0.0" } },
);

const options: PermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

async function allowed(
  agent: AcpAgent,
  sessionId: string,
  toolCall: ToolCallUpdate & { title: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { toolCallId, title, kind } = toolCall;
  await agent.update(sessionId, {
    sessionUpdate: "tool_call",
    toolCallId,
    title,
    kind: kind ?? "other",
    status: "pending",
  });
  const chosen = await agent.requestPermission({ sessionId, toolCall, options }, { signal });
  const status = chosen?.kind === "allow_once" ? "in_progress" : "failed";
  await agent.update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status });
  return status === "in_progress";
}

async function finish(agent: AcpAgent, sessionId: string, toolCallId: string, text: string): Promise<void> {
  const content = [{ type: "content" as const, content: { type: "text" as const, text } }];
  await agent.update(sessionId, { sessionUpdate: "tool_call_update", toolCallId, status: "completed", content });
}
