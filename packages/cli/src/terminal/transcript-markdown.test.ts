import { emptyTranscript, foldTranscript, type SessionUpdate } from "@agentao/acp";
import { expect, test } from "vitest";
import { transcriptMarkdown } from "./transcript-markdown.ts";

const text = (said: string) => ({ type: "text" as const, text: said });

test("is a document a person can read", () => {
  const updates: SessionUpdate[] = [
    { sessionUpdate: "session_info_update", title: "Fix it" },
    { sessionUpdate: "user_message_chunk", content: text("fix it") },
    { sessionUpdate: "agent_thought_chunk", content: text("hm") },
    {
      sessionUpdate: "tool_call",
      toolCallId: "c",
      title: "Edit a.ts",
      kind: "edit",
      status: "completed",
      content: [{ type: "diff", path: "/w/a.ts", oldText: "a\nb\n", newText: "a\nB\n" }],
    },
    {
      sessionUpdate: "tool_call",
      toolCallId: "d",
      title: "cat x",
      status: "failed",
      content: [{ type: "content", content: text("```\nfenced\n```") }],
    },
    { sessionUpdate: "agent_message_chunk", content: text("Done.") },
  ];
  expect(transcriptMarkdown(foldTranscript(emptyTranscript, updates), "/w")).toBe(`# Fix it

## You

fix it

<details><summary>Thought</summary>

hm

</details>

**Edit a.ts**

\`\`\`diff
--- a.ts
+++ a.ts
-b
+B
\`\`\`

**cat x** (failed)

\`\`\`\`
\`\`\`
fenced
\`\`\`
\`\`\`\`

Done.
`);
});
