// Keeps a conversation inside of the model's window: long old results are trimmed, then the beginning is summed up by the
// model itself. Whatever fails changes nothing.

import { type Count, contextSize, estimateMessage, estimateRequest, estimateTokens } from "../context/estimate.ts";
import { askInPlace, askWithTranscript, toSummaryText } from "../context/summary.ts";
import { chooseTrim } from "../context/trim.ts";
import type { LastingEvent, PassingEvent } from "../event/event.ts";
import { toSummary } from "../journal/summary-message.ts";
import { realDelay } from "../model/delay.ts";
import type { Model, ModelRequest, Usage } from "../model/model.ts";
import { BackOff, type RetryPolicy } from "./back-off.ts";
import { type Answer, hearSummary } from "./hear-summary.ts";
import { MOST_LEFT, type Plan, ratioOf, type Size, toPlan, usableTokens } from "./summary-plan.ts";

export interface CompactionRoom {
  /** From which share of the window on the beginning is summed up. */
  readonly compactAt: number;
  readonly retry: RetryPolicy;
  model(): Model;
  /** What the model would see next. */
  request(): ModelRequest;
  /** What the provider counted for the last request and its answer, and how many messages that request had. */
  lastCount(): Count | undefined;
  compactionId(): string;
  /** Throws when it cannot be written. */
  record(event: LastingEvent): Promise<void> | undefined;
  tell(event: PassingEvent): Promise<void> | undefined;
  used(usage: Usage): Promise<void> | undefined;
}

export interface CompactionWish {
  /** A summary right away, however small the conversation is. */
  readonly force?: boolean | undefined;
  /** What the summary should keep above all. */
  readonly focus?: string | undefined;
}

export type CompactionOutcome =
  | { readonly type: "fits" }
  | { readonly type: "compacted"; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: "failed"; readonly message: string }
  /** Nothing can be summed up, or it failed too often to be tried without a wish. */
  | { readonly type: "nothing" }
  | { readonly type: "cancelled" };

/** After so many in a row it is not tried again until somebody wishes it. */
const MAX_FAILURES = 3;
const TRIM_AT = 0.6;
/** How far below the summary the trimming begins. */
const TRIM_BEFORE = 0.2;
/** The share of the window a transcript may take; half of what was there where the provider found that too long. */
const TRANSCRIPT = 0.6;
const TRANSCRIPT_AFTER_OVERFLOW = 0.5;

export class Compactor {
  readonly #room: CompactionRoom;
  #failures = 0;
  /** A count of messages that have changed since. */
  #outdated: { readonly count: Count; readonly savedTokens: number | undefined } | undefined;

  constructor(room: CompactionRoom) {
    this.#room = room;
  }

  /** Before every request: costs next to nothing while there is room. Throws only where `record` does. */
  async fit(signal: AbortSignal, wish: CompactionWish = {}): Promise<CompactionOutcome> {
    if (signal.aborted) return { type: "cancelled" };
    const { compactAt } = this.#room;
    const size = this.#measure();
    // Who says that it is too long may have counted wrongly before.
    if (wish.force === true) {
      const tokens = Math.max(size.tokens, estimateRequest(size.request));
      return this.#force({ ...size, tokens }, wish, signal);
    }
    if (size.tokens <= size.usableTokens * Math.min(TRIM_AT, compactAt - TRIM_BEFORE)) return { type: "fits" };
    const trimmed = await this.#trim(size);
    if (trimmed.tokens <= trimmed.usableTokens * compactAt) return { type: "fits" };
    if (this.#failures >= MAX_FAILURES) return { type: "nothing" };
    return this.#sumUp(trimmed, wish, signal);
  }

  /** Where nothing can be summed up, a turn has only begun and what it read is too long: then even that is trimmed. */
  async #force(size: Size, wish: CompactionWish, signal: AbortSignal): Promise<CompactionOutcome> {
    const outcome = await this.#sumUp(size, wish, signal);
    if (outcome.type !== "nothing") return outcome;
    const trimmed = await this.#trim(size, { spared: 0 });
    if (trimmed === size) return outcome;
    return { type: "compacted", tokensBefore: Math.round(size.tokens), tokensAfter: Math.round(trimmed.tokens) };
  }

  #measure(): Size {
    const request = this.#room.request();
    const { info } = this.#room.model();
    return {
      request,
      tokens: this.#tokensOf(request),
      usableTokens: usableTokens(info),
      windowTokens: info.windowTokens,
    };
  }

  #tokensOf(request: ModelRequest): number {
    const count = this.#room.lastCount();
    const isOutdated = count !== undefined && isSame(count, this.#outdated?.count);
    if (!isOutdated) return contextSize(request, count);
    const savedTokens = this.#outdated?.savedTokens;
    return savedTokens === undefined ? estimateRequest(request) : contextSize(request, count) - savedTokens;
  }

  /** The same size where there is too little to trim. */
  async #trim(size: Size, which?: { readonly spared: number }): Promise<Size> {
    const ratio = ratioOf(size);
    const trim = chooseTrim(size.request.messages, size.usableTokens / ratio, which);
    if (trim === undefined) return size;
    await this.#room.record({ type: "trimmed", callIds: trim.callIds });
    const count = this.#room.lastCount();
    const before = isSame(count, this.#outdated?.count) ? (this.#outdated?.savedTokens ?? 0) : 0;
    if (count !== undefined) this.#outdated = { count, savedTokens: before + trim.savedTokens * ratio };
    return this.#measure();
  }

  async #sumUp(size: Size, wish: CompactionWish, signal: AbortSignal): Promise<CompactionOutcome> {
    const plan = toPlan(size, wish);
    if (plan === undefined) return { type: "nothing" };
    const compactionId = this.#room.compactionId();
    await this.#room.tell({ type: "compacting", compactionId });
    const answer = await this.#askUntilHeard(size, plan, signal);
    if (signal.aborted || answer.type === "cancelled") {
      await this.#room.tell({ type: "compaction-failed", compactionId, message: "The summary was cancelled." });
      return { type: "cancelled" };
    }
    if (answer.type !== "said") return this.#fail(compactionId, answer.message, isPassing(answer));

    const text = toSummaryText(answer.text, plan.replaced, plan.wish.maxTokens);
    const tokensBefore = Math.round(size.tokens);
    const tokensAfter = Math.round((plan.keptTokens + estimateMessage(toSummary(compactionId, text))) * plan.ratio);
    if (tokensAfter >= tokensBefore * MOST_LEFT) return this.#fail(compactionId, HARDLY_SHORTER);
    const { through } = plan.cut;
    await this.#room.record({ type: "summary", compactionId, text, through, tokensBefore, tokensAfter });
    this.#failures = 0;
    const count = this.#room.lastCount();
    this.#outdated = count && { count, savedTokens: undefined };
    return { type: "compacted", tokensBefore, tokensAfter };
  }

  /** What may succeed later is tried again, as every request to a model is. */
  async #askUntilHeard(size: Size, plan: Plan, signal: AbortSignal): Promise<Answer> {
    const backOff = new BackOff(this.#room.retry);
    for (;;) {
      const answer = await this.#ask(size, plan, signal);
      const waitMs = answer.type === "failed" && answer.fault !== undefined ? backOff.waitFor(answer.fault) : undefined;
      if (waitMs === undefined) return answer;
      await realDelay(waitMs, signal);
      if (signal.aborted) return { type: "cancelled" };
    }
  }

  /** In the place of the next request where that fits; as a transcript where it does not, or where that led to nothing. */
  async #ask(size: Size, plan: Plan, signal: AbortSignal): Promise<Answer> {
    let maxTokens = size.usableTokens * TRANSCRIPT;
    const inPlace = askInPlace(size.request, plan.wish);
    if (size.tokens + estimateTokens(inPlace.messages.slice(-1)) + plan.wish.maxTokens <= size.windowTokens) {
      const answer = await hearSummary(this.#room, inPlace, signal);
      if (answer.type !== "unusable") return answer;
      if (answer.overflow) maxTokens = Math.min(maxTokens, size.tokens * TRANSCRIPT_AFTER_OVERFLOW);
    }
    return hearSummary(this.#room, askWithTranscript(plan.replaced, plan.wish, maxTokens / plan.ratio), signal);
  }

  /** One that may pass by itself is no reason to stop trying. */
  async #fail(compactionId: string, message: string, passing = false): Promise<CompactionOutcome> {
    if (!passing) this.#failures++;
    await this.#room.tell({ type: "compaction-failed", compactionId, message });
    return { type: "failed", message };
  }
}

const HARDLY_SHORTER = "The summary would hardly have been shorter than what it replaces.";

function isPassing(answer: Answer): boolean {
  return answer.type === "failed" && answer.fault?.retryable === true;
}

function isSame(one: Count | undefined, other: Count | undefined): boolean {
  return one !== undefined && one.tokens === other?.tokens && one.messages === other.messages;
}
