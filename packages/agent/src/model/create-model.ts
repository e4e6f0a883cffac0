// A model made from a function that answers: text as strings, calls as objects, and a throw where it fails.

import { type Fault, fault } from "../fault/fault.ts";
import { type ModelFacts, toModelInfo } from "./known-models.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";

/** A string is a piece of text. */
export type Said = string | ModelEvent | SaidCall;

export interface SaidCall {
  readonly type: "call";
  /** The provider's own, where it has one. */
  readonly id?: string | undefined;
  readonly name: string;
  /** A value, or JSON as the model wrote it. */
  readonly input: string | object;
  readonly opaque?: unknown;
}

/** Ends when it has said everything, and soon after the signal fires. What it throws fails the request. */
export type AnswerFunction = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<Said>;

/** `id` is `provider/model`. Of a model that is known by its name, facts that are not given are known too. */
export function createModel(id: string, answer: AnswerFunction, facts: ModelFacts = {}): Model {
  return { info: toModelInfo(id, facts), stream: (request, signal) => toEvents(answer, request, signal) };
}

/** Ends as a model must: with a reason, with a fault, or, when nobody wants it any more, with nothing. */
async function* toEvents(
  answer: AnswerFunction,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  let calls = 0;
  try {
    for await (const said of answer(request, signal)) {
      const event = toEvent(said);
      yield event;
      if (event.type === "finish" || event.type === "failed") return;
      if (event.type === "call") calls++;
    }
  } catch (cause) {
    if (!signal.aborted) yield { type: "failed", fault: toFault(cause) };
    return;
  }
  if (!signal.aborted) yield { type: "finish", reason: calls > 0 ? "calls" : "stop" };
}

function toEvent(said: Said): ModelEvent {
  if (typeof said === "string") return { type: "text-delta", text: said };
  if (said.type !== "call") return said;
  const { id = "", input } = said;
  return { ...said, id, input: typeof input === "string" ? input : JSON.stringify(input) };
}

/** A fault that is thrown is that fault. */
function toFault(cause: unknown): Fault {
  if (isFault(cause)) return cause;
  return fault("model", `The model failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function isFault(cause: unknown): cause is Fault {
  return typeof cause === "object" && cause !== null && "kind" in cause && "message" in cause && "retryable" in cause;
}
