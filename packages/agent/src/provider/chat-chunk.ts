// Chunks of chat completions that the library stumbles over, though the answer is there.

import type { MetadataExtractor } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { isFields } from "../json/fields.ts";
import type { ModelEvent } from "../model/model.ts";

/** Chat completions keep the last reason that could be read, beside what the library makes of it. */
export const noteReason: MetadataExtractor = {
  extractMetadata: async () => undefined,
  createStreamExtractor() {
    let reason: string | undefined;
    return {
      processChunk(chunk) {
        reason = reasonIn(chunk) ?? reason;
      },
      buildMetadata: () => (reason === undefined ? undefined : { [NOTED]: { reason } }),
    };
  },
};

const NOTED = "noted";

function reasonIn(chunk: unknown): string | undefined {
  const reason = (chunk as { choices?: readonly { finish_reason?: unknown }[] } | null)?.choices?.[0]?.finish_reason;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

/** A chunk of chat completions that only counts what was spent, in a way that nobody understands. */
export function wordlessChunk(error: unknown): { readonly reason: string | undefined } | undefined {
  const value = (error as { value?: unknown } | null)?.value;
  if (!isFields(value) || !("usage" in value) || value.error !== undefined || !Array.isArray(value.choices)) {
    return undefined;
  }
  const speaks = value.choices.some((choice) => isFields(choice) && isFields(choice.delta) && hasWords(choice.delta));
  return speaks ? undefined : { reason: reasonIn(value) };
}

function hasWords(delta: Readonly<Record<string, unknown>>): boolean {
  return ["content", "reasoning_content", "reasoning", "tool_calls"].some((name) => Boolean(delta[name]));
}

export function mendReason(
  { finishReason, providerMetadata }: Extract<LanguageModelV3StreamPart, { type: "finish" }>,
  seen: string | undefined,
): LanguageModelV3FinishReason {
  const raw = seen ?? providerMetadata?.[NOTED]?.reason;
  return typeof raw === "string" ? { unified: CHAT_REASONS[raw] ?? "other", raw } : finishReason;
}

const CHAT_REASONS: Readonly<Record<string, LanguageModelV3FinishReason["unified"]>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  function_call: "tool-calls",
  tool_calls: "tool-calls",
};

/** A call that nobody named ends the stream of the library; the model is told, and can call again. */
export function unnamedCall(thrown: unknown): readonly ModelEvent[] | undefined {
  if (!(thrown instanceof Error) || !thrown.message.startsWith("Expected 'function.name'")) return undefined;
  const { id } = ((thrown as { data?: unknown }).data ?? {}) as { readonly id?: unknown };
  return [
    { type: "call", id: typeof id === "string" ? id : "", name: "unnamed", input: "{}" },
    { type: "finish", reason: "calls" },
  ];
}
