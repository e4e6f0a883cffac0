// What a request took, and what that costs.

import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Prices, Usage } from "../model/model.ts";

/** Nothing where the provider did not count. */
export function toUsage(counted: LanguageModelV3Usage, prices: Prices | undefined): Usage | undefined {
  const inputTokens = counted.inputTokens.total;
  const outputTokens = counted.outputTokens.total;
  if (!inputTokens && !outputTokens) return undefined;
  const cached = counted.inputTokens.cacheRead || numberIn(counted.raw, "prompt_cache_hit_tokens");
  const reasoning = counted.outputTokens.reasoning;
  const usage = {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cached ? { cachedTokens: cached } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
  const cost = toCost(usage, counted.inputTokens.cacheWrite ?? 0, prices) ?? numberIn(counted.raw, "cost");
  return cost === undefined ? usage : { ...usage, cost };
}

function toCost(usage: Usage, written: number, prices: Prices | undefined): number | undefined {
  if (prices === undefined) return undefined;
  const cached = usage.cachedTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cached - written);
  const sum =
    fresh * prices.input +
    cached * (prices.cachedInput ?? prices.input) +
    written * (prices.cacheWrite ?? prices.input) +
    usage.outputTokens * prices.output;
  return sum / 1_000_000;
}

function numberIn(raw: unknown, name: string): number | undefined {
  const value = typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>)[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
