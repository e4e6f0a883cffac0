// Where a conversation is cut for a summary: what is before is summed up, what is behind stays word for word. Pure.

import type { MessageId } from "../id/id.ts";
import { isSummary } from "../journal/summary-message.ts";
import { isAside } from "../journal/turn-messages.ts";
import type { Message } from "../message/message.ts";
import { estimateMessage } from "./estimate.ts";

export interface CutPoint {
  /** The last message that is summed up; its results are too. */
  readonly through: MessageId;
  /** How many messages are summed up. */
  readonly count: number;
  /** The prompt of the turn that is cut, which stays in front of what is kept. */
  readonly prompt?: Message | undefined;
}

/** A turn that is so many times larger than what may stay is cut inside. */
const TOO_LARGE = 2;
const LEAST_STEPS = 2;

/** Keeps the newest turns that fit into `keepTokens`, at least one, or its newest steps. Nothing where that is all. */
export function findCutPoint(messages: readonly Message[], keepTokens: number): CutPoint | undefined {
  const turns = indexesOf(messages, isPrompt);
  const last = turns.at(-1) ?? 0;
  const lastTokens = sum(messages, last, messages.length);
  const border = toCutPoint(messages, newestThatFit(messages, turns, keepTokens, 1));
  if (lastTokens <= keepTokens || (border !== undefined && lastTokens <= keepTokens * TOO_LARGE)) return border;
  return cutInside(messages, last, keepTokens) ?? border;
}

function cutInside(messages: readonly Message[], turn: number, keepTokens: number): CutPoint | undefined {
  const steps = indexesOf(messages, ({ role }) => role === "assistant").filter((at) => at >= turn);
  if (steps.length <= LEAST_STEPS) return undefined;
  const starts = steps.map((at) => withAsidesBefore(messages, at));
  const cut = newestThatFit(messages, starts, keepTokens, LEAST_STEPS);
  const prompt = messages[turn];
  if (prompt === undefined || !isPrompt(prompt)) return toCutPoint(messages, cut);
  const point = cut > turn + 1 ? toCutPoint(messages, cut) : undefined;
  return point && { ...point, prompt };
}

/** The smallest of the starts from which everything fits; at least so many units are kept. */
function newestThatFit(messages: readonly Message[], starts: readonly number[], keepTokens: number, least: number) {
  let kept = 0;
  let end = messages.length;
  let cut = messages.length;
  for (let unit = starts.length - 1; unit >= 0; unit--) {
    const start = starts[unit] as number;
    kept += sum(messages, start, end);
    if (kept > keepTokens && starts.length - unit > least) break;
    cut = start;
    end = start;
  }
  return starts.length === 0 ? 0 : cut;
}

/** Nothing where nothing stands before the cut, or only an earlier summary. */
function toCutPoint(messages: readonly Message[], count: number): CutPoint | undefined {
  const before = messages.slice(0, count);
  const isAnything = before.some((message) => !isSummary(message));
  const named = before.findLast((message) => message.role !== "result");
  return isAnything && named !== undefined ? { through: named.id, count } : undefined;
}

/** What we said before a step is about that step. */
function withAsidesBefore(messages: readonly Message[], step: number): number {
  let start = step;
  while (start > 0 && isAside(messages[start - 1] as Message)) start--;
  return start;
}

function isPrompt(message: Message): boolean {
  return message.role === "user" && !isAside(message) && !isSummary(message);
}

function indexesOf(messages: readonly Message[], is: (message: Message) => boolean): number[] {
  return messages.flatMap((message, at) => (is(message) ? [at] : []));
}

function sum(messages: readonly Message[], start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; at++) tokens += estimateMessage(messages[at] as Message);
  return tokens;
}
