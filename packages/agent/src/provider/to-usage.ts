// What a request took, and what that costs.

import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import { fieldOf } from "../json/fields.ts";
import type { Prices, Usage } from "../model/model.ts";

/** Nothing where the provider did not count. */
export function toUsage(counted: LanguageModelV3Usage, prices: Prices | undefined): Usage | undefined {
  const inputTokens = toCount(counted.inputTokens.total);
  const outputTokens = toCount(counted.outputTokens.total);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  const cached = toCount(counted.inputTokens.cacheRead) || toCount(fieldOf(counted.raw, "prompt_cache_hit_tokens"));
  const reasoning = toCount(counted.outputTokens.reasoning);
  const usage = {
    inputTokens,
    outputTokens,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
  const cost = toCost(usage, toCount(counted.inputTokens.cacheWrite), prices) ?? toAmount(fieldOf(counted.raw, "cost"));
  return cost === undefined ? usage : { ...usage, cost };
}

/** Whatever a provider counts: never below nothing, never a part of a token, never more than can be added up. */
function toCount(value: unknown): number {
  return Math.min(Math.round(toAmount(value) ?? 0), Number.MAX_SAFE_INTEGER);
}

function toAmount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
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
