// How full the model's window is, as it is told: never more than there is, whatever a provider counts.

import type { UsageSnapshot } from "../event/event.ts";
import type { Model } from "../model/model.ts";

export function toSnapshot(tokens: number, { info }: Model, cost: number | undefined): UsageSnapshot {
  const { windowTokens } = info;
  const usedTokens = Number.isFinite(tokens) ? Math.min(windowTokens, Math.max(0, Math.round(tokens))) : 0;
  return { usedTokens, windowTokens, ...(cost !== undefined && cost > 0 && { cost }) };
}
