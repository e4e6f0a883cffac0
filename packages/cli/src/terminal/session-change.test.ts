import type { ToolCallItem } from "@agentao/acp";
import { expect, test } from "vitest";
import { sessionChanges } from "./session-change.ts";

function edit(path: string, oldText: string | null, newText: string, status: ToolCallItem["status"] = "completed") {
  const content = [{ type: "diff" as const, path, oldText, newText }];
  return { type: "tool-call", toolCallId: path + newText, status, content } as unknown as ToolCallItem;
}

test("goes from before the first change of a file to after the last", () => {
  const items = [
    edit("/w/a", "1\n", "2\n"),
    edit("/w/b", null, "new\n"),
    edit("/w/a", "2\n", "3\n"),
    edit("/w/c", "x", "y", "failed"),
    edit("/w/d", "same", "other"),
    edit("/w/d", "other", "same"),
  ];
  expect(sessionChanges({ items })).toEqual([
    { path: "/w/a", oldText: "1\n", newText: "3\n" },
    { path: "/w/b", oldText: null, newText: "new\n" },
  ]);
});
