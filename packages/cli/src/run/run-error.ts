// What kept a run from its answer, by type and in words, and the exit code that goes with it.

import { errorCodes, LocalError, RpcError, type Transcript } from "@agentao/acp";
import { fieldOf } from "../json/fields.ts";
import { messageOf } from "../text/message-of.ts";
import type { Ending } from "./ending.ts";
import { finalText } from "./final-text.ts";
import { describeRefusal, type Refusal } from "./refusal.ts";
import type { RunFacts } from "./run-facts.ts";
import { warningsOf } from "./warning.ts";
import { withoutNothing } from "./without-nothing.ts";

export type ErrorType =
  | "permission_required"
  | "permission_denied"
  | "interaction_required"
  | "max_iterations"
  | "max_cost"
  | "timeout"
  | "runtime_error"
  | "invalid_spec"
  | "interrupted"
  | "empty_response"
  | "length_truncated"
  | "doom_loop";

export interface RunError {
  readonly type: ErrorType;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly tool_name?: string | undefined;
  readonly tool_call_id?: string | undefined;
  readonly matched_rule?: string | undefined;
  readonly question?: string | undefined;
}

export const exitCodes: Readonly<Record<ErrorType, number>> = {
  runtime_error: 1,
  empty_response: 1,
  length_truncated: 1,
  doom_loop: 1,
  invalid_spec: 2,
  permission_required: 3,
  permission_denied: 3,
  interaction_required: 3,
  max_iterations: 4,
  max_cost: 4,
  timeout: 4,
  interrupted: 130,
};

/** In this order: a refusal, a limit, an interruption, a failure, an answer that is none. */
export function errorOf({ ending, end, transcript, maxSteps }: RunFacts): RunError | undefined {
  if (ending !== undefined) return errorOfEnding(ending, warningsOf(transcript));
  if (end.type === "failed") return errorOfFailure(end.cause);
  switch (end.stopReason) {
    case "max_turn_requests":
      return stepsError(maxSteps);
    case "cancelled":
      return { type: "interrupted", message: "the turn was cancelled" };
    case "max_tokens":
      return {
        type: "length_truncated",
        reason: "length_truncated",
        message: "the answer was cut off: the model ran out of output",
      };
    case "refusal":
      return { type: "runtime_error", reason: "llm_error", message: "the model refused to answer" };
    case "end_turn":
      return finalText(transcript) === "" ? emptyError(transcript) : undefined;
    default:
      return { type: "runtime_error", message: `the turn ended in a way nobody knows: ${String(end.stopReason)}` };
  }
}

export function errorOfEnding(ending: Ending, warnings: readonly string[] = []): RunError {
  switch (ending.type) {
    case "interrupted":
      return { type: "interrupted", message: "interrupted" };
    case "unwritable":
      return { type: "runtime_error", message: `the output cannot be written: ${ending.problem}` };
    case "refused":
      return errorOfRefusal(ending.refusal);
    case "too-long":
      return { type: "timeout", message: timeoutMessage(ending.timeoutMs, warnings) };
    case "too-expensive":
      return {
        type: "max_cost",
        message: `stopped at $${ending.cost.toFixed(4)}, over the $${ending.maxCost} of --max-cost`,
      };
    case "too-many-steps":
      return stepsError(ending.maxSteps);
  }
}

/** What was last complained about is often what the time was lost with. */
function timeoutMessage(timeoutMs: number, warnings: readonly string[]): string {
  const stopped = `stopped after ${timeoutMs / 1_000} s (--timeout)`;
  const warning = warnings.at(-1);
  return warning === undefined ? stopped : `${stopped}; the last warning: ${warning}`;
}

function stepsError(maxSteps: number | undefined): RunError {
  const limit =
    maxSteps === undefined
      ? "as many steps as it may take"
      : `${maxSteps} step${maxSteps === 1 ? "" : "s"} (--max-turns)`;
  return { type: "max_iterations", reason: "max_iterations", message: `the agent was not done after ${limit}` };
}

function errorOfRefusal(refusal: Refusal): RunError {
  const message = describeRefusal(refusal);
  switch (refusal.type) {
    case "interaction-required":
      return { type: "interaction_required", message, question: refusal.question };
    case "permission-required":
      return { type: "permission_required", message, ...callOf(refusal) };
    case "permission-denied":
      return withoutNothing({
        type: "permission_denied",
        message,
        reason: refusal.because,
        ...callOf(refusal),
        matched_rule: refusal.rule,
      });
  }
}

function callOf({ call }: Exclude<Refusal, { type: "interaction-required" }>) {
  return { tool_name: call.toolName, tool_call_id: call.toolCallId };
}

/** Failures that our own agent tells, and no model is to blame for. */
const OWN_KINDS: readonly unknown[] = ["journal", "internal"];

function errorOfFailure(cause: unknown): RunError {
  const message = messageOf(cause);
  if (cause instanceof RpcError) {
    const kind = fieldOf(cause.data, "kind");
    if (kind === "loop") return { type: "doom_loop", reason: "doom_loop", message };
    const isModel = cause.code === errorCodes.authRequired || (kind !== undefined && !OWN_KINDS.includes(kind));
    return withoutNothing({ type: "runtime_error", reason: isModel ? "llm_error" : undefined, message });
  }
  if (cause instanceof LocalError && cause.type === "aborted") return { type: "interrupted", message: "interrupted" };
  return { type: "runtime_error", message };
}

function emptyError({ items }: Transcript): RunError {
  const hasThought = items.some((item) => item.type === "message" && item.from === "thought");
  const reason = hasThought ? "reasoning_only" : "no_output";
  return {
    type: "empty_response",
    reason,
    message: hasThought ? "the model thought, but gave no answer" : "the model gave no answer",
  };
}
