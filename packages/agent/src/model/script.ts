// What a scripted model plays, as plain values, and short words to write it down with. Nothing here runs.

import { type Fault, type FaultKind, fault } from "../fault/fault.ts";
import type { FinishReason, Usage } from "./model.ts";

export type Step =
  | { readonly type: "text"; readonly text: string }
  /** Closed by what follows it; at once where it has something opaque. */
  | { readonly type: "reasoning"; readonly text: string; readonly opaque?: unknown }
  /** `input` is JSON text, also where it is meant to be nonsense. Without an id the player gives one. */
  | { readonly type: "call"; readonly name: string; readonly input: string; readonly id?: string | undefined }
  | { readonly type: "delay"; readonly ms: number }
  /** Instead of the estimate. */
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "notice"; readonly message: string }
  /** Ends the reply. Without one it ends by itself: with `calls` where there were calls, else with `stop`. */
  | { readonly type: "finish"; readonly reason: FinishReason }
  /** Ends the reply. */
  | { readonly type: "fault"; readonly fault: Fault }
  /** Never goes on; only the signal ends it. */
  | { readonly type: "stall" }
  /** Ends the stream as a lost connection does: without a finish. */
  | { readonly type: "cut" }
  | { readonly type: "repeat"; readonly count: number; readonly steps: readonly Step[] };

/**
 * When a reply is the right one. With `lastResult` it answers a tool's result that matches; without, it answers a
 * person's message. `lastUserText` is what the person said last.
 */
export interface Condition {
  readonly lastUserText?: RegExp | undefined;
  readonly lastResult?: RegExp | undefined;
}

export type Reply = readonly Step[] | { readonly when: Condition; readonly steps: readonly Step[] };

/**
 * One reply per request. Those whose condition holds come first; several that hold take turns, and begin anew. Else it is
 * the next reply without a condition, each once.
 */
export type Script = readonly Reply[];

export function text(text: string): Step {
  return { type: "text", text };
}

export function reasoning(text: string, opaque?: unknown): Step {
  return { type: "reasoning", text, ...(opaque !== undefined && { opaque }) };
}

/** A string is taken as the JSON text itself. */
export function call(name: string, input: unknown = {}, id?: string): Step {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  return { type: "call", name, input: json, ...(id !== undefined && { id }) };
}

export function delay(ms: number): Step {
  return { type: "delay", ms };
}

export function usage(usage: Usage): Step {
  return { type: "usage", usage };
}

export function notice(message: string): Step {
  return { type: "notice", message };
}

export function finish(reason: FinishReason): Step {
  return { type: "finish", reason };
}

export function fail(kind: FaultKind, message: string, more?: Partial<Omit<Fault, "kind" | "message">>): Step {
  return { type: "fault", fault: fault(kind, message, more) };
}

export function stall(): Step {
  return { type: "stall" };
}

export function cut(): Step {
  return { type: "cut" };
}

export function repeat(count: number, ...steps: readonly Step[]): Step {
  return { type: "repeat", count, steps };
}

export function when(condition: Condition, ...steps: readonly Step[]): Reply {
  return { when: condition, steps };
}
