// Steps become the events of one answer. Waits only where the script says so; never throws, and ends at once when the
// signal fires.

import { type Chunk, toChunks } from "./chunk.ts";
import { aborted, type Delay } from "./delay.ts";
import { estimateUsage } from "./estimate-usage.ts";
import type { ModelEvent, ModelRequest } from "./model.ts";
import type { Step } from "./script.ts";

export interface Stage {
  readonly chunk: Chunk;
  readonly delay: Delay;
  /** The id of a call that was given none. */
  nextCallId(): string;
}

/** After so many events in a row the event loop gets its turn, so that a cancel from outside can come through. */
const EVENTS_PER_BREATH = 4_096;

export async function* play(
  steps: readonly Step[],
  request: ModelRequest,
  signal: AbortSignal,
  stage: Stage,
): AsyncGenerator<ModelEvent, void, undefined> {
  let events = 0;
  for (const beat of perform(steps, request, stage)) {
    if (signal.aborted) return;
    if (beat.type === "stall") await aborted(signal);
    else if (beat.type === "delay") await stage.delay(beat.ms, signal);
    else {
      for (const event of beat.events) {
        if (signal.aborted) return;
        yield event;
        if (++events % EVENTS_PER_BREATH === 0) await stage.delay(0, signal);
      }
    }
  }
}

/** A wait, or what comes until the next one: a batch costs a fraction of as many single events. */
type Beat = Extract<Step, { type: "delay" | "stall" }> | { readonly type: "batch"; readonly events: ModelEvent[] };

const EVENTS_PER_BATCH = 256;

interface Tally {
  /** Not yet handed on. */
  batch: ModelEvent[];
  outputCharacters: number;
  calls: number;
  thinking: boolean;
  usageTold: boolean;
  /** A text is cut into deltas once, however often it is repeated. */
  readonly deltas: Map<Step, readonly ModelEvent[]>;
}

function* perform(steps: readonly Step[], request: ModelRequest, stage: Stage): Generator<Beat, void, undefined> {
  const tally: Tally = {
    batch: [],
    outputCharacters: 0,
    calls: 0,
    thinking: false,
    usageTold: false,
    deltas: new Map(),
  };
  const end = yield* performTimes(1, steps, tally, stage);
  if (end?.type === "fault") tally.batch.push({ type: "failed", fault: end.fault });
  else if (end?.type !== "cut") {
    endReasoning(tally);
    if (!tally.usageTold) tally.batch.push({ type: "usage", usage: estimateUsage(request, tally.outputCharacters) });
    tally.batch.push({ type: "finish", reason: end?.reason ?? (tally.calls > 0 ? "calls" : "stop") });
  }
  yield takeBatch(tally);
}

type End = Extract<Step, { type: "finish" | "fault" | "cut" }>;

function* performTimes(
  count: number,
  steps: readonly Step[],
  tally: Tally,
  stage: Stage,
): Generator<Beat, End | undefined, undefined> {
  for (let round = 0; round < count; round++) {
    for (const step of steps) {
      switch (step.type) {
        case "finish":
        case "fault":
        case "cut":
          return step;
        case "delay":
        case "stall":
          yield takeBatch(tally);
          yield step;
          break;
        case "repeat": {
          const end = yield* performTimes(step.count, step.steps, tally, stage);
          if (end !== undefined) return end;
          break;
        }
        default:
          say(step, tally, stage);
          if (tally.batch.length >= EVENTS_PER_BATCH) yield takeBatch(tally);
      }
    }
  }
  return undefined;
}

type SpokenStep = Extract<Step, { type: "text" | "reasoning" | "call" | "usage" | "notice" }>;

function say(step: SpokenStep, tally: Tally, stage: Stage): void {
  switch (step.type) {
    case "text":
      if (step.text !== "") endReasoning(tally);
      sayText(step, tally, stage);
      break;
    case "reasoning":
      sayText(step, tally, stage);
      tally.thinking ||= step.text !== "";
      if (step.opaque === undefined) break;
      tally.thinking = false;
      tally.batch.push({ type: "reasoning-end", opaque: step.opaque });
      break;
    case "call":
      endReasoning(tally);
      tally.calls++;
      tally.outputCharacters += step.name.length + step.input.length;
      tally.batch.push({ type: "call", id: step.id ?? stage.nextCallId(), name: step.name, input: step.input });
      break;
    case "usage":
      endReasoning(tally);
      tally.usageTold = true;
      tally.batch.push(step);
      break;
    case "notice":
      tally.batch.push(step);
      break;
  }
}

function endReasoning(tally: Tally): void {
  if (tally.thinking) tally.batch.push({ type: "reasoning-end" });
  tally.thinking = false;
}

function sayText(step: Extract<Step, { type: "text" | "reasoning" }>, tally: Tally, stage: Stage): void {
  tally.outputCharacters += step.text.length;
  let deltas = tally.deltas.get(step);
  if (deltas === undefined) {
    const type = step.type === "text" ? "text-delta" : "reasoning-delta";
    deltas = toChunks(step.text, stage.chunk).map((text): ModelEvent => ({ type, text }));
    tally.deltas.set(step, deltas);
  }
  for (const delta of deltas) tally.batch.push(delta);
}

function takeBatch(tally: Tally): Beat {
  const events = tally.batch;
  tally.batch = [];
  return { type: "batch", events };
}
