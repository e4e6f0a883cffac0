// Servers that copy chat completions, each in its own way.

import { expect, test } from "vitest";
import { errorOf, only } from "../agent/seen.ts";
import { connectProvider } from "./connect-provider.ts";
import { saidIn } from "./said.ts";
import { page, raw, say } from "./script.ts";

function chunk(delta: object, finish_reason: string | null = null): object {
  return {
    id: "x",
    object: "chat.completion.chunk",
    created: 1,
    model: "text",
    choices: [{ index: 0, delta, finish_reason }],
  };
}

function call(id: string, input: string, index?: number): object {
  return {
    ...(index !== undefined && { index }),
    id,
    type: "function",
    function: { name: "look_up", arguments: input },
  };
}

test("a whole call in one piece that ends with stop is made", async () => {
  await using connected = await connectProvider("chat", [
    [raw(chunk({ role: "assistant", content: "", tool_calls: [call("c", '{"word":"x"}', 0)] }), chunk({}, "stop"))],
    [say("ok")],
  ]);

  expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(connected.provider.requests[1]?.text).toContain("x is a word");
});

test("two calls without a place are two calls", async () => {
  const both = [call("a", '{"word":"x"}'), call("b", '{"word":"y"}')];
  await using connected = await connectProvider("chat", [
    [raw(chunk({ tool_calls: both }), chunk({}, "tool_calls"))],
    [say("ok")],
  ]);

  await connected.prompt("go");

  const told = saidIn(connected.provider.requests[1]).filter(({ role }) => role === "tool");
  expect(told).toEqual([
    { role: "tool", tool_call_id: "a", content: "x is a word" },
    { role: "tool", tool_call_id: "b", content: "y is a word" },
  ]);
});

test("ids that repeat from step to step name one call each, here and there", async () => {
  const step = (word: string) => [
    raw(chunk({ tool_calls: [call("call_0", `{"word":"${word}"}`, 0)] }), chunk({}, "tool_calls")),
  ];
  await using connected = await connectProvider("chat", [step("x"), step("y"), [say("ok")]]);

  const { transcript } = await connected.prompt("go");

  const calls = transcript.items.filter((item) => item.type === "tool-call");
  expect(calls.map(({ rawInput, status }) => [rawInput, status])).toEqual([
    [{ word: "x" }, "completed"],
    [{ word: "y" }, "completed"],
  ]);
  const said = saidIn(connected.provider.requests[2]);
  const asked = said.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  expect(new Set(asked).size).toBe(2);
  expect(said.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(asked);
});

test("a call without arguments is a call with none", async () => {
  await using connected = await connectProvider("chat", [
    [raw(chunk({ tool_calls: [call("a", "", 0)] }), chunk({}, "tool_calls"))],
    [say("ok")],
  ]);

  expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(connected.provider.requests[1]?.text).toContain("word must be a string");
});

test("reasoning under another name is reasoning", async () => {
  await using connected = await connectProvider("chat", [
    [raw(chunk({ reasoning: "Hm." }), chunk({ content: "ok" }), chunk({}, "stop"))],
  ]);

  const { updates } = await connected.prompt("go");

  expect(only(updates, "agent_thought_chunk").map(({ content }) => content)).toEqual([{ type: "text", text: "Hm." }]);
});

test("an answer without usage tells none", async () => {
  await using connected = await connectProvider("chat", [[raw(chunk({ content: "ok" }), chunk({}, "stop"))]]);

  const { stopReason, text, updates } = await connected.prompt("go");

  expect({ stopReason, text }).toEqual({ stopReason: "end_turn", text: "ok" });
  expect(only(updates, "usage_update")).toEqual([]);
});

test("an answer that never says that it is over broke off", async () => {
  await using connected = await connectProvider("chat", [[raw(chunk({ content: "As I was" }))]]);

  expect(await errorOf(connected.prompt("go"))).toMatchObject({
    code: -32603,
    data: { kind: "model", retryable: true },
  });
});

test("a setting that the server does not know is left out, once and for all", async () => {
  const refusal = JSON.stringify({
    error: {
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
      type: "invalid_request_error",
    },
  });
  const json = { "content-type": "application/json" };
  await using connected = await connectProvider("chat", [[page(400, json, refusal)], [say("one")], [say("two")]], {
    provider: { temperature: 0.5 },
  });
  const sessionId = await connected.agent.open();

  const first = await connected.agent.prompt(sessionId, "go");
  const second = await connected.agent.prompt(sessionId, "go");

  expect([first.text, second.text]).toEqual(["one", "two"]);
  expect(connected.provider.requests.map(({ body }) => body.temperature)).toEqual([0.5, undefined, undefined]);
});

test("an error in a body that claims to be an answer is told", async () => {
  const body = JSON.stringify({ error: { message: "Model is loading, come back later.", code: 503 } });
  await using connected = await connectProvider("chat", [[page(200, { "content-type": "application/json" }, body)]]);

  const error = await errorOf(connected.prompt("go"));

  expect(error.code).toBe(-32603);
  expect(error.data).not.toMatchObject({ kind: "internal" });
});
