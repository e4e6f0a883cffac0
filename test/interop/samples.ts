// One of everything: content blocks, updates, options. Every field that exists has a value somewhere, and text holds what
// breaks naive framing: line breaks, separators that only some readers take for line breaks, halves of characters.

import type {
  ContentBlock,
  ElicitationSchema,
  McpServer,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@agentao/acp";

export const meta = { "example.com/trace": { id: "4bf92f35", sampled: true, hops: [1, null, "three"] } };

const awkwardText = 'tab\t, "quotes", \\, line\nfeed, \r\n, \u2028\u2029\u0085, nul \0, 👩‍👩‍👧, half \ud83d of one';

/** Longer than a pipe holds at once, and cut between the bytes of its characters. */
export const longText = "žluťoučký kůň 🐎\n".repeat(12_000);

export const everyBlock: readonly ContentBlock[] = [
  {
    type: "text",
    text: awkwardText,
    annotations: { audience: ["user", "assistant"], lastModified: "2026-08-22T10:00:00Z", priority: 0.5, _meta: meta },
    _meta: meta,
  },
  { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png", uri: "file:///home/ada/cat.png", _meta: meta },
  { type: "audio", data: "UklGRg==", mimeType: "audio/wav", annotations: { priority: 1 } },
  {
    type: "resource_link",
    uri: "file:///home/ada/notes.md",
    name: "notes.md",
    title: "Notes",
    description: "What was decided",
    mimeType: "text/markdown",
    size: 4096,
  },
  { type: "resource", resource: { uri: "file:///home/ada/a.ts", text: "let a;\n", mimeType: "text/x-typescript" } },
  { type: "resource", resource: { uri: "file:///home/ada/a.bin", blob: "AAEC", _meta: meta }, _meta: meta },
];

export const configOptions: readonly SessionConfigOption[] = [
  {
    type: "select",
    id: "model",
    name: "Model",
    description: "Who answers",
    category: "model",
    currentValue: "large",
    options: [
      { value: "small", name: "Small", description: "Quick" },
      { value: "large", name: "Large", _meta: meta },
    ],
  },
  {
    type: "select",
    id: "effort",
    name: "Effort",
    category: "thought_level",
    currentValue: "low",
    options: [{ group: "usual", name: "Usual", options: [{ value: "low", name: "Low" }] }],
  },
  { type: "boolean", id: "web", name: "Search the web", category: "_example.com/tool", currentValue: false },
];

export const modes: SessionModeState = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask", description: "Asks before it acts" },
    { id: "code", name: "Code", _meta: meta },
  ],
};

export const everyServer: readonly McpServer[] = [
  { name: "files", command: "/usr/bin/mcp-files", args: ["--root", "/"], env: [{ name: "LANG", value: "C.UTF-8" }] },
  { type: "http", name: "docs", url: "https://docs.example.com/mcp", headers: [{ name: "X-Key", value: "k" }] },
  { type: "sse", name: "old", url: "https://old.example.com/sse", headers: [] },
];

/** A form with a field of every kind. */
export const form: ElicitationSchema = {
  type: "object",
  title: "Release",
  description: "What is to be released",
  properties: {
    version: { type: "string", title: "Version", minLength: 5, maxLength: 20, pattern: "^\\d", default: "1.0.0" },
    contact: { type: "string", format: "email" },
    channel: { type: "string", enum: ["beta", "stable"] },
    target: {
      type: "string",
      oneOf: [
        { const: "eu", title: "Europe" },
        { const: "us", title: "America" },
      ],
    },
    share: { type: "number", minimum: 0, maximum: 1, default: 0.25 },
    retries: { type: "integer", description: "At most", minimum: 0, maximum: 9, default: 3 },
    notify: { type: "boolean", default: true },
    systems: { type: "array", minItems: 1, maxItems: 2, items: { type: "string", enum: ["linux", "macos"] } },
    teams: { type: "array", items: { anyOf: [{ const: "core", title: "Core" }] }, default: ["core"] },
  },
  required: ["version", "channel"],
};

export const everyUpdate: readonly SessionUpdate[] = [
  { sessionUpdate: "user_message_chunk", messageId: "m1", content: { type: "text", text: "hello" } },
  ...everyBlock.map((content) => ({ sessionUpdate: "agent_message_chunk" as const, messageId: "m2", content })),
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: longText } },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } },
  { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: awkwardText }, _meta: meta },
  {
    sessionUpdate: "tool_call",
    toolCallId: "call-1",
    title: "Edit a.ts",
    name: "edit_file",
    kind: "edit",
    status: "pending",
    content: [],
    locations: [{ path: "/home/ada/a.ts" }],
    rawInput: { path: "a.ts", lines: [1, 2], deep: { nothing: null } },
  },
  {
    sessionUpdate: "tool_call_update",
    toolCallId: "call-1",
    title: "Edited a.ts",
    kind: "execute",
    status: "completed",
    content: [
      { type: "content", content: { type: "text", text: "3 files" }, _meta: meta },
      { type: "diff", path: "/home/ada/a.ts", oldText: "let a;\n", newText: "const a = 1;\n" },
      { type: "diff", path: "/home/ada/new.ts", oldText: null, newText: "" },
      { type: "terminal", terminalId: "term-1" },
    ],
    locations: [{ path: "/home/ada/a.ts", line: 7, _meta: meta }],
    rawOutput: "done",
    _meta: meta,
  },
  {
    sessionUpdate: "plan",
    entries: [
      { content: "Read", priority: "high", status: "completed" },
      { content: "Write", priority: "medium", status: "in_progress" },
      { content: "Rest", priority: "low", status: "pending", _meta: meta },
    ],
  },
  {
    sessionUpdate: "available_commands_update",
    availableCommands: [
      { name: "test", description: "Runs the tests", input: { hint: "which ones" } },
      { name: "undo", description: "Takes the last change back", input: null },
    ],
  },
  { sessionUpdate: "current_mode_update", currentModeId: "code" },
  { sessionUpdate: "config_option_update", configOptions },
  { sessionUpdate: "session_info_update", title: "Releasing", updatedAt: "2026-08-22T10:00:00Z" },
  { sessionUpdate: "session_info_update", title: null },
  { sessionUpdate: "usage_update", used: 53_000, size: 200_000, cost: { amount: 0.045, currency: "USD" } },
  { sessionUpdate: "notice", severity: "warning", title: "The disk is nearly full", description: "2 % are left" },
  { sessionUpdate: "compaction_update", compactionId: "c1", status: "in_progress" },
  { sessionUpdate: "compaction_summary_chunk", compactionId: "c1", content: { type: "text", text: "So far" } },
  {
    sessionUpdate: "compaction_update",
    compactionId: "c1",
    status: "completed",
    summary: [{ type: "text", text: "All" }],
  },
  { sessionUpdate: "compaction_update", compactionId: "c2", status: "failed", summary: null, error: "no room" },
];
