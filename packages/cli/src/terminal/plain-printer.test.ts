import type { AcpClient, SessionUpdate } from "@agentao/acp";
import { expect, test } from "vitest";
import { Conversation } from "./conversation.ts";
import { PlainPrinter } from "./plain-printer.ts";

function paper() {
  const written: string[] = [];
  const printer = new PlainPrinter((text) => written.push(text));
  const session = { sessionId: "s", cwd: "/w", configOptions: [], modeId: undefined, modeIds: [] };
  const conversation: Conversation = new Conversation({} as AcpClient, session, {
    now: () => 0,
    onChange: () => printer.show(conversation),
  });
  return { printer, conversation, printed: () => written.join("") };
}

function chunk(text: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}

test("prints every word once, and each call when it begins and when it ends", () => {
  const { conversation, printed } = paper();
  const denial = { by: "person", because: "the person rejected it" };
  const updates: SessionUpdate[] = [
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "typed already" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hel" } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "lo\u001b[2J" } },
    { sessionUpdate: "tool_call", toolCallId: "c", title: "Edit /w/a.ts", status: "pending" },
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "in_progress" },
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" },
    { sessionUpdate: "tool_call", toolCallId: "d", title: "Run", status: "pending" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "d",
      status: "failed",
      _meta: { "_agentao.cn/denial": denial },
    },
    { sessionUpdate: "agent_message_chunk", messageId: "2", content: { type: "text", text: "Done" } },
  ];
  for (const update of updates) conversation.hear("s", update);
  conversation.say("gone", "error");
  conversation.say("bye");
  expect(printed()).toBe(
    "(thinking)\nHello\n* Edit a.ts\n* Edit a.ts (failed)\n* Run\n* Run (refused by you)\nDone\nerror: gone\nbye\n",
  );
});

test("puts what comes while a line is waited for above it", () => {
  const { printer, conversation, printed } = paper();
  conversation.say("hello");
  printer.prompt("> ");
  conversation.say("one\ntwo");
  conversation.hear("s", chunk("Hel"));
  conversation.hear("s", chunk("lo"));
  expect(printed()).toBe("hello\n> \none\ntwo\n> \nHel\n> \nlo\n> ");
});

test("goes on below a line that was typed, and below one that nobody waits for any more", () => {
  const { printer, conversation, printed } = paper();
  printer.prompt("> ");
  printer.typed();
  conversation.hear("s", chunk("Hel"));
  printer.prompt("Number: ");
  printer.prompt("> ");
  printer.endPrompt();
  conversation.say("bye");
  expect(printed()).toBe("> Hel\nNumber: \n> \nbye\n");
});

test("prints a plan when it changes, and not that it was written", () => {
  const { conversation, printed } = paper();
  const plan = (status: "in_progress" | "completed"): SessionUpdate => ({
    sessionUpdate: "plan",
    entries: [{ content: "Look", priority: "medium", status }],
  });
  conversation.hear("s", { sessionUpdate: "tool_call", toolCallId: "c", title: "Plan", name: "todo_write" });
  conversation.hear("s", plan("in_progress"));
  conversation.say("meanwhile");
  conversation.hear("s", plan("completed"));
  expect(printed()).toBe("Plan 0/1\n▸ Look\nmeanwhile\nPlan 1/1\n✓ Look\n");
});
