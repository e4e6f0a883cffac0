// What a replay of either side is told, what it tells, and how it keeps the recorded pace.

import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { Play, Step } from "./steps.ts";

export interface ReplayOptions {
  readonly play: Play;
  readonly input: Readable;
  readonly output: Writable;
  readonly speed: "instant" | "real";
  /** For each wait: an answer, a question. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Also what the agent said, word for word. */
  readonly compareText?: boolean | undefined;
  /** As the agent: a client that has asked something else, and waits for it, is on another path after this. */
  readonly patienceMs?: number | undefined;
}

export interface ReplayReport {
  /** In sentences. */
  readonly differences: readonly string[];
  /** Frames of the recording that took part. */
  readonly played: number;
}

/** What a model or person took their time for before; nothing when it is to be quick. */
export async function keepPace({ index, atMs }: Step, { speed, play, signal }: ReplayOptions): Promise<void> {
  const before = play.steps[index - 1];
  if (speed !== "real" || before === undefined || atMs <= before.atMs) return;
  await setTimeout(atMs - before.atMs, undefined, { signal }).catch(() => {});
}
