// How much a model is to think, in the words of each protocol; and to show its reasoning where showing costs nothing.

import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { ModelInfo } from "../model/model.ts";

type Options = SharedV3ProviderOptions[string];

const OFF = new Set(["off", "none", "disabled"]);

/** `reasoning_effort`, where a level was chosen. */
export function chatEffort(level: string | undefined): string | undefined {
  if (level === undefined) return undefined;
  return OFF.has(level) ? "none" : level;
}

export function responsesThought(
  level: string | undefined,
  info: ModelInfo,
  showsSummary: boolean,
): Record<string, string | boolean> {
  return {
    ...(level !== undefined && { reasoningEffort: OFF.has(level) ? "none" : level }),
    ...(showsSummary && level !== "none" && level !== "off" && { reasoningSummary: "auto" }),
    // The library knows OpenAI's own models by name; others are told apart by their having levels.
    ...(info.thoughtLevels.length > 0 && { forceReasoning: true }),
  };
}

/**
 * Claude from 4.6 on decides itself how long it thinks, and takes an effort; those before take a budget. Some of the
 * newer ones think unless told otherwise, and hide it unless asked.
 */
export function messagesThought(model: string, level: string | undefined, mayBudget: boolean): Options {
  const version = claudeVersion(model);
  if (level === undefined) {
    return version !== undefined && version >= 5 ? { thinking: { type: "adaptive", display: "summarized" } } : {};
  }
  if (OFF.has(level)) return { thinking: { type: "disabled" } };
  if (version !== undefined && version >= 4.06) {
    const effort = level === "minimal" ? "low" : level;
    const isKnown = ["low", "medium", "high", "xhigh", "max"].includes(effort);
    return {
      thinking: { type: "adaptive", ...(version > 4.06 && { display: "summarized" }) },
      ...(isKnown && { effort }),
    };
  }
  return mayBudget ? { thinking: { type: "enabled", budgetTokens: BUDGETS[level] ?? 10_000 } } : {};
}

/** Tokens of thought, for models that count them. */
const BUDGETS: Record<string, number> = { minimal: 1_024, low: 4_096, medium: 10_000, high: 20_000, max: 30_000 };

export function thinksByBudget(model: string): boolean {
  return (claudeVersion(model) ?? 0) < 4.06;
}

/** 4.06 for `claude-opus-4-6`, 5 for `claude-sonnet-5`, 3.07 for `claude-3-7-sonnet-…`; dates are no versions. */
function claudeVersion(model: string): number | undefined {
  const match = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (match?.[1] === undefined) return undefined;
  return Number(match[1]) + Number(match[2] ?? 0) / 100;
}

export function geminiThought(model: string, level: string | undefined, info: ModelInfo): Options {
  const generation = Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0);
  const canThink = info.thoughtLevels.length > 0 || (generation >= 2.5 && !/image|tts|live|audio/.test(model));
  if (!canThink) return {};
  const amount =
    level === undefined ? {} : generation >= 3 ? geminiLevel(level) : { thinkingBudget: geminiBudget(level) };
  return { thinkingConfig: { includeThoughts: true, ...amount } };
}

function geminiLevel(level: string): { thinkingLevel?: string } {
  if (OFF.has(level)) return { thinkingLevel: "minimal" };
  if (level === "xhigh" || level === "max") return { thinkingLevel: "high" };
  return ["minimal", "low", "medium", "high"].includes(level) ? { thinkingLevel: level } : {};
}

/** −1: as long as it likes. */
function geminiBudget(level: string): number {
  if (OFF.has(level)) return 0;
  return { minimal: 512, low: 2_048, medium: 8_192, high: 24_576 }[level] ?? -1;
}
