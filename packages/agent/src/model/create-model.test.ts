// What a function says, as the events of a model.

import { expect, test } from "vitest";
import { fault } from "../fault/fault.ts";
import { type AnswerFunction, createModel, type Said } from "./create-model.ts";
import type { ModelEvent, ModelRequest } from "./model.ts";

const request: ModelRequest = { system: "", messages: [], tools: [] };
const call = { type: "call", name: "order", input: { item: "lamp" } } as const;
const called = { type: "call", id: "", name: "order", input: '{"item":"lamp"}' } as const;
const failure = fault("rate-limit", "Later.");

test.each<[string, readonly Said[], readonly ModelEvent[]]>([
  ["strings are text", ["a", "b"], [text("a"), text("b"), { type: "finish", reason: "stop" }]],
  ["objects are calls", ["a", call], [text("a"), called, { type: "finish", reason: "calls" }]],
  [
    "JSON and ids stay as they are",
    [{ ...call, id: "1", input: "{ }" }],
    [
      { ...called, id: "1", input: "{ }" },
      { type: "finish", reason: "calls" },
    ],
  ],
  [
    "its own end counts, and is the end",
    ["a", { type: "finish", reason: "length" }, "b"],
    [text("a"), { type: "finish", reason: "length" }],
  ],
  ["a failure is the end", [{ type: "failed", fault: failure }, "b"], [{ type: "failed", fault: failure }]],
])("%s", async (_, said, events) => {
  expect(
    await eventsOf(async function* () {
      yield* said;
    }),
  ).toEqual(events);
});

test("what is thrown is a fault: itself, or one of the model", async () => {
  const error = new Error("no route");
  expect(await eventsOf(throwing(failure))).toEqual([{ type: "failed", fault: failure }]);
  expect(await eventsOf(throwing(error))).toEqual([
    { type: "failed", fault: fault("model", "The model failed: no route", { cause: error }) },
  ]);
});

test("one that nobody wants any more ends with nothing", async () => {
  const controller = new AbortController();
  controller.abort();
  expect(await eventsOf(throwing(new Error("aborted")), controller.signal)).toEqual([]);
  expect(await eventsOf(async function* () {}, controller.signal)).toEqual([]);
});

test("what is not said of it is known, or assumed", () => {
  const { info } = createModel("mine/clerk", throwing(0), { windowTokens: 8_000, image: false });
  expect(info).toEqual({
    id: "mine/clerk",
    name: "clerk",
    windowTokens: 8_000,
    takes: { image: false, audio: false },
    thoughtLevels: [],
  });
});

function text(said: string): ModelEvent {
  return { type: "text-delta", text: said };
}

function throwing(cause: unknown): AnswerFunction {
  return async function* () {
    yield await Promise.reject(cause);
  };
}

async function eventsOf(answer: AnswerFunction, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of createModel("mine/clerk", answer).stream(request, signal)) events.push(event);
  return events;
}
