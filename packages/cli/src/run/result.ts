// The result of a run: one JSON object, and an exit code. Names and codes are what scripts depend on.

import {
  agentText,
  errorCodes,
  LocalError,
  type MessageItem,
  RpcError,
  type StopReason,
  type Transcript,
} from "@agentao/acp";
import type { Ending } from "./ending.ts";
import type { Usage } from "./meter.ts";
import { describeRefusal, type Refusal } from "./refusal.ts";

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

/** How a turn ended, if it did. */
export type TurnEnd =
  | { readonly type: "answered"; readonly stopReason: StopReason; readonly usage?: TokenUsage | undefined }
  | { readonly type: "failed"; readonly cause: unknown };

export interface TokenUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
}

export interface RunFacts {
  readonly sessionId?: string | undefined;
  readonly cwd: string;
  readonly model?: string | undefined;
  readonly transcript: Transcript;
  readonly usage: Usage;
  readonly ending: Ending | undefined;
  readonly end: TurnEnd;
  readonly maxSteps?: number | undefined;
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
    warnings: transcript.items.flatMap((item) => (item.type === "notice" ? [item.title] : [])),
  });
}

/** A job that never began. */
export function refusedResult(message: string, cwd: string): RunResult {
  return {
    status: "error",
    cwd,
    error: { type: "invalid_spec", message },
    usage: { total_tokens: 0 },
    tool_calls: 0,
    finish_reason_missing: false,
    warnings: [],
  };
}

const EXIT_CODES: Readonly<Record<ErrorType, number>> = {
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

export function exitCodeOf({ error }: RunResult): number {
  return error === undefined ? 0 : EXIT_CODES[error.type];
}

/** The last thing the agent said, without what it said on the way. */
export function finalText({ items }: Transcript): string {
  const last = items.findLast((item) => isAnswer(item) && textOf(item as MessageItem).trim() !== "");
  return last === undefined ? "" : textOf(last as MessageItem);
}

/** Our own agent also tells a failure in its transcript; it is no answer. */
export function isErrorMessage(messageId: string | null | undefined): boolean {
  return messageId?.endsWith("_error") ?? false;
}

function isAnswer(item: Transcript["items"][number]): boolean {
  return item.type === "message" && item.from === "agent" && !isErrorMessage(item.messageId);
}

function textOf(item: MessageItem): string {
  return agentText({ items: [item] } as unknown as Transcript);
}

/** In this order: a refusal, a limit, an interruption, a failure, an answer that is none. */
function errorOf({ ending, end, transcript, maxSteps }: RunFacts): RunError | undefined {
  if (ending !== undefined) return errorOfEnding(ending);
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

function errorOfEnding(ending: Ending): RunError {
  switch (ending.type) {
    case "interrupted":
      return { type: "interrupted", message: "interrupted" };
    case "refused":
      return errorOfRefusal(ending.refusal);
    case "too-long":
      return { type: "timeout", message: `stopped after ${ending.timeoutMs / 1_000} s (--timeout)` };
    case "too-expensive":
      return {
        type: "max_cost",
        message: `stopped at $${ending.cost.toFixed(4)}, over the $${ending.maxCost} of --max-cost`,
      };
    case "too-many-steps":
      return stepsError(ending.maxSteps);
  }
}

function stepsError(maxSteps: number | undefined): RunError {
  const limit = maxSteps === undefined ? "the agent's own limit" : `${maxSteps} (--max-turns)`;
  return { type: "max_iterations", reason: "max_iterations", message: `the agent was not done after ${limit} steps` };
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

function errorOfFailure(cause: unknown): RunError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof RpcError) {
    const { kind } = (cause.data ?? {}) as { kind?: unknown };
    if (kind === "loop") return { type: "doom_loop", reason: "doom_loop", message };
    if (cause.code === errorCodes.authRequired) return { type: "runtime_error", reason: "llm_error", message };
    return withoutNothing({ type: "runtime_error", reason: kind === undefined ? undefined : "llm_error", message });
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

function withoutNothing<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
