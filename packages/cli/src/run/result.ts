// The result of a run: one JSON object, and an exit code. Names and codes are what scripts depend on.

import type { StopReason } from "@agentao/acp";
import { finalText } from "./final-text.ts";
import { errorOf, exitCodes, type RunError } from "./run-error.ts";
import type { RunFacts } from "./run-facts.ts";
import { warningsOf } from "./warning.ts";
import { withoutNothing } from "./without-nothing.ts";

export interface RunResult {
  readonly status: "ok" | "error";
  readonly session_id?: string | undefined;
  readonly cwd: string;
  readonly model?: string | undefined;
  readonly stop_reason?: StopReason | undefined;
  /** Only of a run that succeeded. */
  readonly final_text?: string | undefined;
  /** What the agent had said when it did not. */
  readonly partial_text?: string | undefined;
  readonly error?: RunError | undefined;
  readonly usage: {
    readonly prompt_tokens?: number | undefined;
    readonly completion_tokens?: number | undefined;
    readonly total_tokens: number;
    readonly cost_usd?: number | undefined;
  };
  readonly tool_calls: number;
  readonly finish_reason_missing: boolean;
  readonly warnings: readonly string[];
}

export function toResult(facts: RunFacts): RunResult {
  const { end, transcript, usage } = facts;
  const error = errorOf(facts);
  const text = finalText(transcript);
  const told = end.type === "answered" ? end.usage : undefined;
  return withoutNothing({
    status: error === undefined ? "ok" : "error",
    session_id: facts.sessionId,
    cwd: facts.cwd,
    model: facts.model,
    stop_reason: end.type === "answered" ? end.stopReason : undefined,
    final_text: error === undefined ? text : undefined,
    partial_text: error === undefined || text === "" ? undefined : text,
    error,
    usage: withoutNothing({
      prompt_tokens: told?.inputTokens,
      completion_tokens: told?.outputTokens,
      total_tokens: told?.totalTokens ?? usage.tokens,
      cost_usd: usage.cost === undefined ? undefined : Number(usage.cost.toFixed(6)),
    }),
    tool_calls: transcript.items.filter(({ type }) => type === "tool-call").length,
    finish_reason_missing: false,
    warnings: warningsOf(transcript),
  });
}

/** A job that never began. */
export function refusedResult(error: RunError, cwd: string): RunResult {
  return {
    status: "error",
    cwd,
    error,
    usage: { total_tokens: 0 },
    tool_calls: 0,
    finish_reason_missing: false,
    warnings: [],
  };
}

export function exitCodeOf({ error }: Pick<RunResult, "error">): number {
  return error === undefined ? 0 : exitCodes[error.type];
}
