import type { SessionUpdate } from "@agentao/acp";
import { expect, test } from "vitest";
import { markUpdate } from "./mark-update.ts";

const content = { type: "text" as const, text: "hi" };

test.each<[SessionUpdate, SessionUpdate | undefined]>([
  [
    { sessionUpdate: "agent_message_chunk", content, messageId: "1" },
    { sessionUpdate: "agent_message_chunk", content, messageId: "@bob/1" },
  ],
  [
    { sessionUpdate: "agent_thought_chunk", content },
    { sessionUpdate: "agent_thought_chunk", content },
  ],
  [
    { sessionUpdate: "tool_call", toolCallId: "c", title: "Read a.ts" },
    { sessionUpdate: "tool_call", toolCallId: "@bob/c", title: "@bob Read a.ts" },
  ],
  [
    { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" },
    { sessionUpdate: "tool_call_update", toolCallId: "@bob/c", status: "completed" },
  ],
  [
    { sessionUpdate: "tool_call_update", toolCallId: "c", title: "Read b.ts" },
    { sessionUpdate: "tool_call_update", toolCallId: "@bob/c", title: "@bob Read b.ts" },
  ],
  [
    { sessionUpdate: "notice", severity: "warning", title: "Slow" },
    { sessionUpdate: "notice", severity: "warning", title: "@bob Slow" },
  ],
  [
    { sessionUpdate: "plan", entries: [] },
    { sessionUpdate: "plan", entries: [] },
  ],
  [{ sessionUpdate: "user_message_chunk", content }, undefined],
  [{ sessionUpdate: "usage_update", used: 1, size: 2 }, undefined],
  [{ sessionUpdate: "current_mode_update", currentModeId: "yolo" }, undefined],
  [{ sessionUpdate: "available_commands_update", availableCommands: [] }, undefined],
  [{ sessionUpdate: "session_info_update", title: "Theirs" }, undefined],
])("%j", (update, marked) => {
  expect(markUpdate(update, "bob")).toEqual(marked);
});
