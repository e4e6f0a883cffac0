// The committed files are what the generator writes from the schema that is installed.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { render } from "../../../../scripts/generate-acp/render.ts";
import type { ContentBlock, McpServer, SessionConfigSelectOptions, SessionUpdate } from "./generated/type.ts";
import type { StateUpdate } from "./generated-unstable/type.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test.each([...render()])("%s is as generated", (path, text) => {
  expect(readFileSync(root + path, "utf8") === text || `${path} is stale: run \`npm run generate\``).toBe(true);
});

test("unions narrow by their tags, and what is left over is the unknown variant", () => {
  const describeUpdate = (update: SessionUpdate): string => {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return describeBlock(update.content);
      case "tool_call":
        return update.title;
      case "tool_call_update":
        return update.title ?? update.toolCallId;
      case "current_mode_update":
        return update.currentModeId;
      default:
        return "other";
    }
  };
  const describeBlock = (block: ContentBlock): string => (block.type === "text" ? block.text : "no text");
  const describeServer = (server: McpServer): string =>
    server.type === "http" || server.type === "sse" ? server.url : server.command;
  const firstOf = (options: SessionConfigSelectOptions): string => {
    const [first] = options;
    if (first === undefined) return "none";
    return "group" in first ? (first.options[0]?.value ?? "none") : first.value;
  };
  const stopOf = (state: StateUpdate): string => {
    if (state.state !== "idle") return state.state;
    return state.stopReason === "error" ? (state.error?.message ?? "error") : (state.stopReason ?? "not told");
  };

  expect([
    describeUpdate({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } }),
    describeUpdate({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", kind: undefined }),
    describeUpdate({ sessionUpdate: "plan", entries: [] }),
    describeServer({ name: "a", command: "run", args: [], env: [] }),
    describeServer({ type: "http", name: "a", url: "http://a", headers: [] }),
    firstOf([{ group: "g", name: "G", options: [{ value: "v", name: "V" }] }]),
    stopOf({ state: "idle", stopReason: "error", error: { code: -32603, message: "broke" } }),
    stopOf({ state: "idle", stopReason: "end_turn" }),
    stopOf({ state: "running" }),
  ]).toEqual(["hi", "Run", "other", "run", "http://a", "v", "broke", "end_turn", "running"]);
});
