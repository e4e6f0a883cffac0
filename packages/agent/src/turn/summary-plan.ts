// How large a conversation is for its model, and what of it a summary would replace.

import { type CutPoint, findCutPoint } from "../context/cut-point.ts";
import { estimateMessage, estimateRequest, estimateTokens } from "../context/estimate.ts";
import type { SummaryWish } from "../context/summary.ts";
import type { ModelInfo, ModelRequest } from "../model/model.ts";

export interface Size {
  readonly request: ModelRequest;
  /** What it takes now. */
  readonly tokens: number;
  /** What it may take, so that an answer still fits. */
  readonly usableTokens: number;
  readonly windowTokens: number;
}

export interface Plan {
  readonly cut: CutPoint;
  readonly replaced: ModelRequest["messages"];
  /** Estimated, without the summary. */
  readonly keptTokens: number;
  readonly ratio: number;
  readonly wish: SummaryWish;
}

/** The share that stays word for word. */
const KEEP = 0.25;
/** A summary that leaves more than this was not worth what it forgets. */
export const MOST_LEFT = 0.7;
/** In a small window, a share of it. */
const MAX_SUMMARY_TOKENS = 4_000;
const MAX_SUMMARY_SHARE = 0.2;

/** Nothing where even an empty summary would not be worth it. */
export function toPlan(
  size: Size,
  { force = false, focus }: { readonly force?: boolean | undefined; readonly focus?: string | undefined },
): Plan | undefined {
  const { request, tokens, usableTokens } = size;
  const ratio = ratioOf(size);
  const keep = Math.min(usableTokens, force ? tokens : usableTokens) * KEEP;
  const cut = findCutPoint(request.messages, keep / ratio);
  if (cut === undefined) return undefined;
  const replaced = request.messages.slice(0, cut.count);
  const prompt = cut.prompt === undefined ? 0 : estimateMessage(cut.prompt);
  const keptTokens = estimateRequest(request) - estimateTokens(replaced) + prompt;
  if (keptTokens * ratio >= tokens * MOST_LEFT) return undefined;
  const wish = { focus, maxTokens: Math.min(MAX_SUMMARY_TOKENS, usableTokens * MAX_SUMMARY_SHARE) };
  return { cut, replaced, keptTokens, ratio, wish };
}

const MAX_RESERVED_TOKENS = 20_000;
const MAX_RESERVED_SHARE = 0.2;

/** The window without what is left for the answer. */
export function usableTokens({ windowTokens, maxOutputTokens = MAX_RESERVED_TOKENS }: ModelInfo): number {
  return windowTokens - Math.min(maxOutputTokens, MAX_RESERVED_TOKENS, windowTokens * MAX_RESERVED_SHARE);
}

/** How the provider counts compared with the estimate; bounded, so that no odd count leads far astray. */
export function ratioOf({ request, tokens }: Size): number {
  return Math.min(3, Math.max(0.5, tokens / Math.max(1, estimateRequest(request))));
}
