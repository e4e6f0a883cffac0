import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionUpdate, UnknownSessionUpdate } from "../v1/generated/type.ts";
import { agentText, emptyTranscript, foldTranscript, type Transcript } from "./transcript.ts";

const text = (text: string) => ({ type: "text" as const, text });
const fold = (...updates: SessionUpdate[]): Transcript => foldTranscript(emptyTranscript, updates);

const toolCall = {
  type: "tool-call",
  toolCallId: "t",
  title: "t",
  name: undefined,
  kind: "other",
  status: "pending",
  content: [],
  locations: [],
  rawInput: undefined,
  rawOutput: undefined,
};

describe("messages", () => {
  test("join their chunks, and begin anew with another speaker or id", () => {
    const { items } = fold(
      { sessionUpdate: "user_message_chunk", content: text("hi") },
      { sessionUpdate: "agent_thought_chunk", content: text("hm") },
      { sessionUpdate: "agent_message_chunk", content: text("He"), messageId: "1" },
      { sessionUpdate: "agent_message_chunk", content: text("llo"), messageId: "1" },
      { sessionUpdate: "agent_message_chunk", content: text("Bye"), messageId: "2" },
    );
    expect(items).toEqual([
      { type: "message", from: "user", messageId: undefined, content: [text("hi")] },
      { type: "message", from: "thought", messageId: undefined, content: [text("hm")] },
      { type: "message", from: "agent", messageId: "1", content: [text("Hello")] },
      { type: "message", from: "agent", messageId: "2", content: [text("Bye")] },
    ]);
  });

  test("with an id go on after a tool call, without one begin anew", () => {
    const between: SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "t", title: "t" };
    const chunk = (messageId?: string): SessionUpdate => ({
      sessionUpdate: "agent_message_chunk",
      content: text("x"),
      messageId,
    });
    expect(fold(chunk("1"), between, chunk("1")).items.map(({ type }) => type)).toEqual(["message", "tool-call"]);
    expect(fold(chunk(), between, chunk()).items.map(({ type }) => type)).toEqual(["message", "tool-call", "message"]);
  });

  test("keep blocks that are no plain text apart", () => {
    const marked = { ...text("b"), annotations: { priority: 1 } };
    const [item] = fold(
      { sessionUpdate: "agent_message_chunk", content: text("a") },
      { sessionUpdate: "agent_message_chunk", content: marked },
      { sessionUpdate: "agent_message_chunk", content: text("c") },
    ).items;
    expect(item).toMatchObject({ content: [text("a"), marked, text("c")] });
  });
});

describe("tool calls", () => {
  test("C-285 absent and null fields keep, lists replace", () => {
    const path = "/f";
    const { items } = fold(
      { sessionUpdate: "tool_call", toolCallId: "t", title: "Read", kind: "read", rawInput: { path } },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        status: "in_progress",
        content: [{ type: "terminal", terminalId: "1" }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        status: "completed",
        title: null,
        content: [{ type: "content", content: text("ok") }],
        locations: [{ path, line: 3 }],
        rawOutput: null,
      },
    );
    expect(items).toEqual([
      {
        ...toolCall,
        title: "Read",
        kind: "read",
        status: "completed",
        content: [{ type: "content", content: text("ok") }],
        locations: [{ path, line: 3 }],
        rawInput: { path },
        rawOutput: null,
      },
    ]);
  });

  test("C-286 an update for a call never announced announces it", () => {
    expect(fold({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "failed" }).items).toEqual([
      { ...toolCall, status: "failed" },
    ]);
  });
});

describe("the rest", () => {
  test("C-284 C-293 plan, commands, mode, options, title and usage are the last ones said", () => {
    const entry = (content: string) => ({ content, priority: "low" as const, status: "pending" as const });
    const { items: _, ...rest } = fold(
      { sessionUpdate: "plan", entries: [entry("a"), entry("b")] },
      { sessionUpdate: "plan", entries: [entry("c")] },
      { sessionUpdate: "available_commands_update", availableCommands: [{ name: "help", description: "h" }] },
      { sessionUpdate: "current_mode_update", currentModeId: "plan" },
      { sessionUpdate: "config_option_update", configOptions: [] },
      { sessionUpdate: "session_info_update", title: "T", updatedAt: "2026-01-01T00:00:00Z" },
      { sessionUpdate: "session_info_update", title: null },
      { sessionUpdate: "usage_update", used: 10, size: 100 },
    );
    expect(rest).toEqual({
      plan: [entry("c")],
      commands: [{ name: "help", description: "h" }],
      configOptions: [],
      modeId: "plan",
      title: undefined,
      updatedAt: "2026-01-01T00:00:00Z",
      usage: { sessionUpdate: "usage_update", used: 10, size: 100 },
    });
  });

  test("a compaction is one item, its summary appended or replaced", () => {
    const { items } = fold(
      { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" },
      { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text("So ") },
      { sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text("far") },
      { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" },
    );
    expect(items).toEqual([
      { type: "compaction", compactionId: "c", status: "completed", summary: [text("So far")], error: undefined },
    ]);
  });

  test("C-297 notices and unknown updates are kept in their place", () => {
    const unknown = { sessionUpdate: "hologram", beams: 3 } as unknown as UnknownSessionUpdate;
    expect(fold({ sessionUpdate: "notice", severity: "odd", title: "N" }, unknown).items).toEqual([
      { type: "notice", severity: "odd", title: "N", description: undefined },
      { type: "unknown", update: unknown },
    ]);
  });

  test("folding in any batches gives the same transcript, and leaves the earlier ones as they were", () => {
    const update: fc.Arbitrary<SessionUpdate> = fc.oneof(
      fc.record({
        sessionUpdate: fc.constantFrom("agent_message_chunk" as const, "agent_thought_chunk" as const),
        content: fc.record({ type: fc.constant("text" as const), text: fc.string() }),
        messageId: fc.option(fc.constantFrom("1", "2")),
      }),
      fc.record({
        sessionUpdate: fc.constant("tool_call_update" as const),
        toolCallId: fc.constantFrom("a", "b"),
        title: fc.option(fc.string()),
        status: fc.option(fc.constantFrom("pending" as const, "completed" as const)),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(update)), (batches) => {
        let transcript = emptyTranscript;
        const history: [Transcript, string][] = [];
        for (const batch of batches) {
          transcript = foldTranscript(transcript, batch);
          history.push([transcript, JSON.stringify(transcript)]);
        }
        expect(transcript).toEqual(foldTranscript(emptyTranscript, batches.flat()));
        for (const [earlier, asItWas] of history) expect(JSON.stringify(earlier)).toBe(asItWas);
      }),
    );
  });

  test("agentText is what the agent said", () => {
    const said = fold(
      { sessionUpdate: "agent_message_chunk", content: text("a") },
      { sessionUpdate: "agent_thought_chunk", content: text("no") },
      { sessionUpdate: "agent_message_chunk", content: text("b") },
    );
    expect(agentText(said)).toBe("a\n\nb");
  });
});
