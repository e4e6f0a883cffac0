// What a provider streams, as events of ours. Text is passed on as it comes; calls when they are whole.

import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { type Fault, fault } from "../fault/fault.ts";
import type { FinishReason, ModelEvent, Prices } from "../model/model.ts";
import { mendReason, wordlessChunk } from "./chat-chunk.ts";
import { type Maker, toOpaque } from "./opaque.ts";
import { toUsage } from "./to-usage.ts";

export interface StreamContext {
  readonly maker: Maker;
  readonly prices?: Prices | undefined;
  toFault(thrown: unknown): Fault;
}

export interface StreamReader {
  /** The events of one part, mostly one or none. Nothing comes after `finish` or `failed`. */
  read(part: LanguageModelV3StreamPart): readonly ModelEvent[];
}

type Call = Extract<ModelEvent, { type: "call" }>;

const NOTHING: readonly ModelEvent[] = [];

/** Of one answer. An answer that breaks off has no last event. */
export function readStream({ maker, prices, toFault }: StreamContext): StreamReader {
  const sealed = new Map<string, SharedV3ProviderMetadata>();
  /** Their input is not JSON: broken off, or badly written. Which of the two, the end tells. */
  const doubtful: Call[] = [];
  let callCount = 0;
  let isOver = false;
  /** A part that could not be read and had nothing to say; the library takes it for the end. */
  let ignored: { readonly reason: string | undefined } | undefined;

  function read(part: LanguageModelV3StreamPart): readonly ModelEvent[] {
    if (isOver) return NOTHING;
    switch (part.type) {
      case "text-delta":
        return part.delta === "" ? NOTHING : [{ type: "text-delta", text: part.delta }];
      case "reasoning-start":
        if (part.providerMetadata !== undefined) seal(part.id, part.providerMetadata);
        return NOTHING;
      case "reasoning-delta":
        if (part.providerMetadata !== undefined) seal(part.id, part.providerMetadata);
        return part.delta === "" ? NOTHING : [{ type: "reasoning-delta", text: part.delta }];
      case "reasoning-end":
        if (part.providerMetadata !== undefined) seal(part.id, part.providerMetadata);
        return [{ type: "reasoning-end", opaque: toOpaque(maker, unseal(part.id)) }];
      case "tool-call":
        return part.providerExecuted === true ? NOTHING : readCall(part);
      case "file":
        return [{ type: "text-delta", text: placeholder(part) }];
      case "error":
        return readError(part.error);
      case "finish":
        return finish(part);
      default:
        return NOTHING;
    }
  }

  /** Signatures come with any of the parts of one piece of reasoning. */
  function seal(id: string, metadata: SharedV3ProviderMetadata): void {
    const before = sealed.get(id);
    if (before === undefined) return void sealed.set(id, metadata);
    const merged = { ...before };
    for (const [maker, values] of Object.entries(metadata)) merged[maker] = { ...merged[maker], ...values };
    sealed.set(id, merged);
  }

  function unseal(id: string): SharedV3ProviderMetadata {
    const metadata = sealed.get(id) ?? {};
    sealed.delete(id);
    return metadata;
  }

  function readCall(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>): readonly ModelEvent[] {
    const metadata = part.providerMetadata;
    const call: Call = {
      type: "call",
      id: part.toolCallId,
      name: part.toolName,
      input: part.input,
      ...(metadata !== undefined && { opaque: toOpaque(maker, metadata) }),
    };
    if (!isJson(part.input)) {
      doubtful.push(call);
      return NOTHING;
    }
    callCount++;
    return [call];
  }

  function finish(part: Extract<LanguageModelV3StreamPart, { type: "finish" }>): readonly ModelEvent[] {
    isOver = true;
    const usage = toUsage(part.usage, prices);
    const events: ModelEvent[] = usage === undefined ? [] : [{ type: "usage", usage }];
    const end = toEnd(ignored === undefined ? part.finishReason : mendReason(part, ignored.reason), maker);
    if (end === "broken-off") return events;
    if (typeof end === "object") return [...events, { type: "failed", fault: end }];
    const isWhole = end === "stop" || end === "calls";
    const calls = isWhole
      ? doubtful.map((call) => ({ ...call, input: call.input.trim() === "" ? "{}" : call.input }))
      : [];
    const hasCalls = callCount + calls.length > 0;
    const reason = isWhole ? (hasCalls ? "calls" : "stop") : end;
    return [...calls, ...events, { type: "finish", reason }];
  }

  function readError(error: unknown): readonly ModelEvent[] {
    const nothing = wordlessChunk(error);
    if (nothing === undefined) return isBrokenOff(error) ? breakOff() : fail(toFault(error));
    ignored = nothing;
    return NOTHING;
  }

  function breakOff(): readonly ModelEvent[] {
    isOver = true;
    return NOTHING;
  }

  function fail(failure: Fault): readonly ModelEvent[] {
    isOver = true;
    return [{ type: "failed", fault: failure }];
  }

  return { read };
}

/** A missing reason is a stream that broke off: two of the libraries make up an end for it. */
function toEnd(reason: LanguageModelV3FinishReason, maker: Maker): FinishReason | Fault | "broken-off" {
  switch (reason.unified) {
    case "stop":
      return "stop";
    case "tool-calls":
      return "calls";
    case "length":
      return "length";
    case "content-filter":
      return "refusal";
    case "error":
    case "other":
      break;
  }
  const raw = reason.raw ?? "";
  if (raw === "") return "broken-off";
  if (/safety|language|content|refus|blocked/i.test(raw)) return "refusal";
  if (/malformed|unexpected_tool|too_many_tool|missing_thought/i.test(raw)) {
    return fault("model", `${maker.model} made a call that its provider could not read (${raw}).`, { retryable: true });
  }
  if (/error|insufficient|failed|overload|timeout|abort/i.test(raw)) {
    return fault("overloaded", `${maker.provider} stopped ${maker.model} in the middle of its answer (${raw}).`);
  }
  return "stop";
}

function placeholder({ mediaType, data }: Extract<LanguageModelV3StreamPart, { type: "file" }>): string {
  const bytes = typeof data === "string" ? Buffer.byteLength(data, "base64") : data.length;
  return `[${mediaType.startsWith("image/") ? "image" : "file"}: ${mediaType.slice(0, 100)}, ${bytes} bytes]`;
}

function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && error.message === "Response stream ended without a finish reason.";
}

function isJson(input: string): boolean {
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
}
