import { expect, test } from "vitest";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { type ReadFile, scenarioModel } from "./scenario-model.ts";

const never = new AbortController().signal;
const request: ModelRequest = { system: "", messages: [], tools: [] };
const story = JSON.stringify({ chunk: "whole", replies: [[{ text: "one two" }], [{ text: "three" }]] });

async function answer(model: Model | undefined, signal = never): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model?.stream(request, signal) ?? []) events.push(event);
  return events;
}

test("plays the file behind its id, which is read once", async () => {
  const read: string[] = [];
  const model = scenarioModel("scripted/stories/a.json", async (path) => {
    read.push(path);
    return story;
  });
  const told = [...(await answer(model)), ...(await answer(model))];
  expect(model?.info).toEqual({
    id: "scripted/stories/a.json",
    name: "Scenario stories/a.json",
    windowTokens: 200_000,
    takes: { image: true, audio: true },
    thoughtLevels: [],
  });
  expect(told.filter(({ type }) => type === "text-delta")).toEqual([
    { type: "text-delta", text: "one two" },
    { type: "text-delta", text: "three" },
  ]);
  expect(read).toEqual(["stories/a.json"]);
});

test.each(["scripted/demo", "openai/a.json", "scripted/", "scripted/.json/x", "a.json"])("has nothing for %s", (id) => {
  expect(scenarioModel(id, () => story)).toBeUndefined();
});

test("takes an absolute path after the slash of the provider", async () => {
  const model = scenarioModel("scripted//tmp/a.json", (path) => {
    throw new Error(`no ${path}`);
  });
  expect(await answer(model)).toEqual([failed("The scenario /tmp/a.json cannot be read: no /tmp/a.json")]);
});

test("fails with every problem of the file, and reads it again the next time", async () => {
  const files = ['{"replies":[[{"text":1},{"stall":0}]]}', story];
  const model = scenarioModel("scripted/a.json", () => files.shift() ?? "");
  expect(await answer(model)).toEqual([
    failed(
      "The scenario a.json cannot be played: replies[0][0].text must be a string; replies[0][1].stall must be true.",
    ),
  ]);
  expect((await answer(model))[0]).toEqual({ type: "text-delta", text: "one two" });
});

test("ends at once when the signal fires while the file is read", async () => {
  const controller = new AbortController();
  const stuck: ReadFile = () => new Promise(() => {});
  const answered = answer(scenarioModel("scripted/a.json", stuck), controller.signal);
  controller.abort();
  expect(await answered).toEqual([]);
});

function failed(message: string): ModelEvent {
  return { type: "failed", fault: { kind: "bad-request", message, retryable: false } };
}
