import { emptyTranscript, foldTranscript, LocalError, RpcError, type SessionUpdate } from "@agentao/acp";
import { describe, expect, test } from "vitest";
import type { Ending } from "./ending.ts";
import { Meter } from "./meter.ts";
import { exitCodeOf, refusedResult, toResult } from "./result.ts";
import type { RunFacts } from "./run-facts.ts";

const says = (text: string, messageId = "m1"): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: { type: "text", text },
});
const thinks: SessionUpdate = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } };
const calls = (toolCallId: string): SessionUpdate => ({ sessionUpdate: "tool_call", toolCallId, title: "t" });
const usage = { tokens: 12, cost: undefined };

const facts = (updates: readonly SessionUpdate[], more: Partial<RunFacts> = {}): RunFacts => ({
  sessionId: "s",
  cwd: "/w",
  model: "a/b",
  transcript: foldTranscript(emptyTranscript, updates),
  usage,
  ending: undefined,
  end: { type: "answered", stopReason: "end_turn" },
  ...more,
});

test("a run that succeeded has everything but an error", () => {
  const notice: SessionUpdate = { sessionUpdate: "notice", severity: "warning", title: "Mind the gap." };
  const news: SessionUpdate = { sessionUpdate: "notice", severity: "info", title: "Model: a/b." };
  expect(toResult(facts([news, notice, says("On it."), calls("1"), says("Done.", "m2")]))).toEqual({
    status: "ok",
    session_id: "s",
    cwd: "/w",
    model: "a/b",
    stop_reason: "end_turn",
    final_text: "Done.",
    usage: { total_tokens: 12 },
    tool_calls: 1,
    finish_reason_missing: false,
    warnings: ["Mind the gap."],
  });
});

test("what the agent tells about its tokens is used", () => {
  const end = {
    type: "answered",
    stopReason: "end_turn",
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  } as const;
  const result = toResult(facts([says("x")], { end, usage: { ...usage, cost: 0.1 + 0.2 } }));
  expect(result.usage).toEqual({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost_usd: 0.3 });
});

const call = { toolCallId: "c", toolName: "run_shell_command", title: "git push", subject: "git push" };

describe("errors and exit codes", () => {
  test.each<[string, Partial<RunFacts>, SessionUpdate[], string, number]>([
    ["interrupted", { ending: { type: "interrupted" } }, [says("so far")], "interrupted", 130],
    ["cancelled by the agent", { end: { type: "answered", stopReason: "cancelled" } }, [], "interrupted", 130],
    [
      "aborted before it began",
      { end: { type: "failed", cause: new LocalError("aborted", "x") } },
      [],
      "interrupted",
      130,
    ],
    ["out of steps", { end: { type: "answered", stopReason: "max_turn_requests" } }, [], "max_iterations", 4],
    ["too many steps", { ending: { type: "too-many-steps", maxSteps: 2 } }, [], "max_iterations", 4],
    ["too long", { ending: { type: "too-long", timeoutMs: 1500 } }, [], "timeout", 4],
    ["too expensive", { ending: { type: "too-expensive", maxCost: 1, cost: 1.5 } }, [], "max_cost", 4],
    ["unwritable", { ending: { type: "unwritable", problem: "ENOSPC" } }, [says("x")], "runtime_error", 1],
    ["cut off", { end: { type: "answered", stopReason: "max_tokens" } }, [says("x")], "length_truncated", 1],
    ["refused by the model", { end: { type: "answered", stopReason: "refusal" } }, [], "runtime_error", 1],
    ["no answer", {}, [], "empty_response", 1],
    ["blank answer", {}, [says(" \n")], "empty_response", 1],
    ["thoughts only", {}, [thinks], "empty_response", 1],
    [
      "the agent failed",
      { end: { type: "failed", cause: RpcError.internal("boom", { kind: "model" }) } },
      [],
      "runtime_error",
      1,
    ],
    ["a loop", { end: { type: "failed", cause: RpcError.internal("x", { kind: "loop" }) } }, [], "doom_loop", 1],
    [
      "it is gone",
      { end: { type: "failed", cause: new LocalError("closed", "exited with 1") } },
      [],
      "runtime_error",
      1,
    ],
    [
      "asked",
      { ending: { type: "refused", refusal: { type: "permission-required", call } } },
      [],
      "permission_required",
      3,
    ],
    [
      "denied",
      { ending: { type: "refused", refusal: { type: "permission-denied", call, because: "no." } } },
      [],
      "permission_denied",
      3,
    ],
    [
      "a question",
      { ending: { type: "refused", refusal: { type: "interaction-required", question: "why?" } } },
      [],
      "interaction_required",
      3,
    ],
  ])("%s", (_, more, updates, type, code) => {
    const result = toResult(facts(updates, more));
    expect([result.status, result.error?.type, exitCodeOf(result)]).toEqual(["error", type, code]);
    expect(result.final_text).toBeUndefined();
    expect(result.error?.message).toMatch(/\S/);
  });

  test.each<[Ending, SessionUpdate[], string]>([
    [{ type: "too-many-steps", maxSteps: 1 }, [], "the agent was not done after 1 step (--max-turns)"],
    [{ type: "too-many-steps", maxSteps: 2 }, [], "the agent was not done after 2 steps (--max-turns)"],
    [{ type: "too-long", timeoutMs: 1500 }, [], "stopped after 1.5 s (--timeout)"],
    [
      { type: "too-long", timeoutMs: 1500 },
      [
        { sessionUpdate: "notice", severity: "warning", title: "Retrying." },
        { sessionUpdate: "notice", severity: "info", title: "By the way." },
      ],
      "stopped after 1.5 s (--timeout); the last warning: Retrying.",
    ],
  ])("%j after %j in words", (ending, updates, message) => {
    expect(toResult(facts(updates, { ending })).error?.message).toBe(message);
  });

  test.each([
    ["model", "llm_error"],
    ["network", "llm_error"],
    ["journal", undefined],
    ["internal", undefined],
  ])("a failure of kind %s has the reason %s", (kind, reason) => {
    const end = { type: "failed", cause: RpcError.internal("boom", { kind }) } as const;
    expect(toResult(facts([], { end })).error?.reason).toBe(reason);
  });

  test("what was said is kept, but for what tells the failure itself", () => {
    const end = { type: "failed", cause: RpcError.internal("boom") } as const;
    expect(toResult(facts([says("half"), says("Error: boom", "turn_1_error")], { end }))).toMatchObject({
      partial_text: "half",
      error: { type: "runtime_error", message: "boom" },
    });
  });

  test("the reason we stopped for counts more than how the turn ended", () => {
    const ending: Ending = { type: "refused", refusal: { type: "permission-required", call } };
    const result = toResult(facts([], { ending, end: { type: "answered", stopReason: "max_turn_requests" } }));
    expect(result.error).toEqual({
      type: "permission_required",
      message:
        "run_shell_command (git push) needs a permission, and nobody can be asked here. To allow it: --allow 'run_shell_command(git push)'",
      tool_name: "run_shell_command",
      tool_call_id: "c",
    });
  });

  test("a job that never began is exit code 2", () => {
    expect(exitCodeOf(refusedResult({ type: "invalid_spec", message: "no" }, "/w"))).toBe(2);
  });
});

describe("the meter", () => {
  const meter = (...updates: SessionUpdate[]): Meter => {
    const one = new Meter();
    for (const update of updates) one.add(update);
    return one;
  };
  const used = (tokens: number, amount?: number): SessionUpdate => ({
    sessionUpdate: "usage_update",
    used: tokens,
    size: 100,
    ...(amount !== undefined && { cost: { amount, currency: "USD" } }),
  });
  const over = (toolCallId: string): SessionUpdate => ({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: "completed",
  });

  test("adds up what each request used, and not what the session had used before", () => {
    const one = meter(used(50, 0.5), says("a"), used(60, 0.75), says("b"), used(70, 1));
    expect(one.usage).toEqual({ tokens: 130, cost: 0.5 });
  });

  test("knows no cost where none was told", () => {
    expect(meter(says("a"), used(1)).usage.cost).toBeUndefined();
  });

  test("counts groups of calls as steps", () => {
    const one = meter(calls("1"), calls("2"), over("1"), over("2"), says("x"), calls("3"));
    expect([one.steps, one.toolCalls, one.title]).toEqual([2, 3, "t"]);
    one.add(over("3"));
    expect(one.title).toBe("");
  });
});
