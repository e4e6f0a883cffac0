// Servers that copy chat completions, each in its own way.

import { expect, test } from "vitest";
import { errorOf, only } from "../agent/seen.ts";
import { connectProvider, WINDOW } from "./connect-provider.ts";
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

test("an answer without usage is reckoned, and costs nothing that is known", async () => {
  await using connected = await connectProvider("chat", [[raw(chunk({ content: "ok" }), chunk({}, "stop"))]]);

  const { stopReason, text, updates } = await connected.prompt("go");

  expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(only(updates, "usage_update")).toEqual([
    { sessionUpdate: "usage_update", size: WINDOW, used: expect.any(Number) },
  ]);
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
  await using connected = await connectProvider("chat", [[page(400, json, refusal)], [say("one")], [say("two")]], {
    provider: { temperature: 0.5 },
  });
  const sessionId = await connected.agent.open();

  const first = await connected.agent.prompt(sessionId, "go");
  const second = await connected.agent.prompt(sessionId, "go");

  expect([first.text, second.text]).toEqual(["one", "two"]);
  expect(connected.provider.requests.map(({ body }) => body.temperature)).toEqual([0.5, undefined, undefined]);
});

const json = { "content-type": "application/json" };

test.each([
  [
    "may pass",
    { error: { message: "Model is loading, come back later.", code: 503 } },
    { code: -32603, data: { kind: "overloaded", retryable: true } },
    /Local cannot answer now \(503\)\. Model is loading, come back later\./,
  ],
  [
    "does not pass",
    { error: { message: "Invalid model zzz specified", type: "invalid_request_error", code: "model_not_found" } },
    { code: -32603, data: { kind: "bad-request", retryable: false } },
    /Local knows no model "text" \(404\)\. Invalid model zzz specified\./,
  ],
  [
    "is about the key",
    { error: { message: "Who are you?", code: "invalid_api_key" } },
    { code: -32000, data: { kind: "auth", retryable: false } },
    /LOCAL_API_KEY/,
  ],
  [
    "has no code",
    { detail: "Not today." },
    { code: -32603, data: { kind: "bad-request", retryable: false } },
    /Local refuses the request\. Not today\./,
  ],
])("an error in a body that claims to be an answer is told as what it is, where it %s", async (_, body, told, says) => {
  await using connected = await connectProvider("chat", [[page(200, json, JSON.stringify(body))]]);

  const error = await errorOf(connected.prompt("go"));

  expect(error).toMatchObject(told);
  expect(error.message).toMatch(says);
  expect(connected.provider.requests).toHaveLength(1);
});

test("an answer in one piece is an answer, with its calls and its usage", async () => {
  const whole = (message: object, finish_reason: string) =>
    page(
      200,
      json,
      JSON.stringify({
        id: "x",
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
        usage: { prompt_tokens: 100, completion_tokens: 5 },
      }),
    );
  await using connected = await connectProvider("chat", [
    [whole({ content: null, tool_calls: [call("a", '{"word":"x"}'), call("b", '{"word":"y"}')] }, "tool_calls")],
    [whole({ content: "plain json answer" }, "stop")],
  ]);

  const { stopReason, text, updates } = await connected.prompt("go");

  expect({ stopReason, text }).toMatchObject({ stopReason: "end_turn", text: "plain json answer" });
  expect(connected.provider.requests[1]?.text).toContain("y is a word");
  expect(only(updates, "usage_update").at(-1)).toMatchObject({ used: 105 });
});

test("a call without a name is told to the model, which goes on", async () => {
  const nameless = { index: 0, id: "a", type: "function", function: { arguments: "{}" } };
  await using connected = await connectProvider("chat", [
    [raw(chunk({ tool_calls: [nameless] }), chunk({}, "tool_calls"))],
    [say("ok")],
  ]);

  expect(await connected.prompt("go")).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(connected.provider.requests).toHaveLength(2);
});

test("one image that cannot be read does not switch images off", async () => {
  const refusal = JSON.stringify({ error: { message: "Invalid image: the image could not be decoded" } });
  await using connected = await connectProvider("chat", [[page(400, json, refusal)], [say("ok")]]);
  const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" } as const;

  await errorOf(connected.prompt([image]));
  await connected.prompt([image]);

  expect(connected.provider.requests.map(({ text }) => text.includes("iVBORw0KGgo="))).toEqual([true, true]);
});

test("images that are not taken are told of once, and left out", async () => {
  const refusal = JSON.stringify({ error: { message: "This model does not support image input" } });
  await using connected = await connectProvider("chat", [[page(400, json, refusal)], [say("ok")]], {
    capabilities: { session: { notices: {} } },
  });

  const { updates } = await connected.prompt([{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }]);

  expect(only(updates, "notice")).toHaveLength(1);
  expect(connected.provider.requests.map(({ text }) => text.includes("iVBORw0KGgo="))).toEqual([true, false]);
});
