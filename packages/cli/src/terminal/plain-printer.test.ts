import type { AcpClient, SessionUpdate } from "@agentao/acp";
import { expect, test } from "vitest";
import { Conversation } from "./conversation.ts";
import { PlainPrinter } from "./plain-printer.ts";

test("prints every word once, and each call when it begins and when it ends", () => {
  let printed = "";
  const printer = new PlainPrinter((text) => {
    printed += text;
  });
  const session = { sessionId: "s", cwd: "/w", configOptions: [], modeId: undefined, modeIds: [] };
  const conversation: Conversation = new Conversation({} as AcpClient, session, {
    now: () => 0,
    onChange: () => printer.show(conversation),
  });
  const updates: SessionUpdate[] = [
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "typed already" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hel" } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "lo\u001b[2J" } },
    { sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "pending" },
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "in_progress" },
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" },
    { sessionUpdate: "agent_message_chunk", messageId: "2", content: { type: "text", text: "Done" } },
  ];
  for (const update of updates) conversation.hear("s", update);
  conversation.say("bye");
  expect(printed).toBe("(thinking)\nHello\n* Run\n* Run (failed)\nDone\nbye\n");
});
