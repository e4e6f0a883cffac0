// Scenario files: a script as JSON, for people who test their own hosts without writing TypeScript. Pure; reads no file.
//
//   {
//     "about": "Anything you like; it is not used.",
//     "chunk": "word",
//     "replies": [
//       [{ "reasoning": "A file first." }, { "call": { "name": "read_file", "input": { "file_path": "a.txt" } } }],
//       [{ "text": "It is empty." }, { "usage": { "inputTokens": 900, "outputTokens": 4 } }],
//       {
//         "when": { "lastUserText": "count" },
//         "steps": [{ "repeat": { "count": 3, "step": [{ "text": "one more " }, { "delayMs": 50 }] } }]
//       },
//       { "when": { "lastResult": "denied" }, "steps": [{ "text": "Then I leave it." }] }
//     ]
//   }
//
// A reply is a list of steps, or `{ "when", "steps" }`; script.ts says which reply answers which request. A step has one
// key: "text", "reasoning", "notice" (strings); "call" { name, input?, id? }, where an input that is a string is sent as
// it is; "delayMs"; "usage" { inputTokens, outputTokens, … }; "finish" { reason }; "fault" { kind, message, retryable?,
// retryAfterMs? }; "stall": true; "cut": true; "repeat" { count, step }, where step is one step or a list of them.
// Conditions are regular expressions that ignore case.

import { type FaultKind, fault } from "../fault/fault.ts";
import type { Chunk } from "./chunk.ts";
import type { FinishReason, Usage } from "./model.ts";
import { Place } from "./place.ts";
import {
  type Condition,
  call,
  cut,
  delay,
  finish,
  notice,
  type Reply,
  reasoning,
  repeat,
  type Script,
  type Step,
  stall,
  text,
  usage,
} from "./script.ts";

export interface Scenario {
  readonly chunk?: Chunk | undefined;
  readonly script: Script;
}

export type ParsedScenario =
  | { readonly type: "parsed"; readonly scenario: Scenario }
  /** Each names its place: "replies[2][0].call.name must be a string". Never empty. */
  | { readonly type: "refused"; readonly problems: readonly string[] };

/** More are counted, not listed. */
const MAX_PROBLEMS = 10;
const MAX_REPEATS = 1_000_000;
const MAX_REPEAT_DEPTH = 3;
const MAX_DELAY_MS = 3_600_000;

export function parseScenario(source: string): ParsedScenario {
  let root: unknown;
  try {
    root = JSON.parse(source);
  } catch (cause) {
    return { type: "refused", problems: [`the document is not JSON: ${(cause as Error).message}`] };
  }
  const problems: string[] = [];
  const scenario = readScenario(new Place(root, "", problems));
  if (problems.length === 0) return { type: "parsed", scenario };
  const more = problems.length - MAX_PROBLEMS;
  return { type: "refused", problems: more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems };
}

function readScenario(root: Place): Scenario {
  const { chunk, replies } = root.object(["about", "chunk", "replies"]);
  const script = replies.list().map(readReply);
  return chunk.isMissing ? { script } : { chunk: readChunk(chunk), script };
}

function readChunk(place: Place): Chunk {
  const { value } = place;
  if (value === "word" || value === "whole") return value;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1) return value;
  place.refuse('must be "word", "whole" or a whole number from 1');
  return "word";
}

function readReply(place: Place): Reply {
  if (Array.isArray(place.value)) return readSteps(place, 0);
  const { when, steps } = place.object(["when", "steps"]);
  return { when: readCondition(when), steps: readSteps(steps, 0) };
}

function readCondition(place: Place): Condition {
  const { lastUserText, lastResult } = place.object(["lastUserText", "lastResult"]);
  return {
    ...(!lastUserText.isMissing && { lastUserText: lastUserText.pattern("i") }),
    ...(!lastResult.isMissing && { lastResult: lastResult.pattern("i") }),
  };
}

function readSteps(place: Place, depth: number): readonly Step[] {
  return place.list().map((step) => readStep(step, depth));
}

type StepKey = Exclude<Step["type"], "delay"> | "delayMs";

const STEPS: Readonly<Record<StepKey, (place: Place, depth: number) => Step>> = {
  text: (place) => text(place.string()),
  reasoning: (place) => reasoning(place.string()),
  notice: (place) => notice(place.string()),
  call: readCall,
  delayMs: (place) => delay(place.number(MAX_DELAY_MS)),
  usage: readUsage,
  finish: (place) => finish(place.object(["reason"]).reason.word(REASONS)),
  fault: readFault,
  stall: (place) => readMark(place, stall()),
  cut: (place) => readMark(place, cut()),
  repeat: (place, depth) => readRepeat(place, depth + 1),
};

const STEP_KEYS = Object.keys(STEPS) as StepKey[];

function readStep(place: Place, depth: number): Step {
  const only = place.only(STEP_KEYS);
  return only === undefined ? cut() : STEPS[only.key](only.place, depth);
}

function readCall(place: Place): Step {
  const { name, input, id } = place.object(["name", "input", "id"]);
  return call(name.string(), input.value, id.isMissing ? undefined : id.string());
}

function readUsage(place: Place): Step {
  const { inputTokens, outputTokens, ...rest } = place.object([
    "inputTokens",
    "outputTokens",
    "cachedTokens",
    "reasoningTokens",
    "cost",
  ]);
  const told: Usage = { inputTokens: inputTokens.number(), outputTokens: outputTokens.number() };
  const more = Object.entries(rest).filter(([, count]) => !count.isMissing);
  return usage({ ...told, ...Object.fromEntries(more.map(([key, count]) => [key, count.number()])) });
}

const REASONS: Readonly<Record<FinishReason, true>> = { stop: true, calls: true, length: true, refusal: true };

const KINDS: Readonly<Record<FaultKind, true>> = {
  auth: true,
  "rate-limit": true,
  overloaded: true,
  network: true,
  stalled: true,
  overflow: true,
  "bad-request": true,
  model: true,
  loop: true,
  journal: true,
  internal: true,
};

function readFault(place: Place): Step {
  const { kind, message, retryable, retryAfterMs } = place.object(["kind", "message", "retryable", "retryAfterMs"]);
  const more = {
    ...(!retryable.isMissing && { retryable: retryable.boolean() }),
    ...(!retryAfterMs.isMissing && { retryAfterMs: retryAfterMs.number(MAX_DELAY_MS) }),
  };
  return { type: "fault", fault: fault(kind.word(KINDS), message.string(), more) };
}

function readMark(place: Place, step: Step): Step {
  if (place.value !== true) place.refuse("must be true");
  return step;
}

function readRepeat(place: Place, depth: number): Step {
  if (depth > MAX_REPEAT_DEPTH) {
    place.refuse(`must not be nested deeper than ${MAX_REPEAT_DEPTH}`);
    return cut();
  }
  const { count, step } = place.object(["count", "step"]);
  const steps = Array.isArray(step.value) ? readSteps(step, depth) : [readStep(step, depth)];
  return repeat(count.wholeNumber(MAX_REPEATS), ...steps);
}
