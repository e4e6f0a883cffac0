// What a client can set in a session, and what it hears of it.

import { memoryStore, scriptedModel } from "@agentao/agent";
import { expect, test } from "vitest";
import { text, usage } from "../../packages/agent/src/model/script.ts";
import { connectScripted, countingIds, NOON } from "./connect-scripted.ts";
import { errorOf, only } from "./seen.ts";

function threeModels() {
  return [
    scriptedModel([[text("small")]], { info: { id: "acme/small", name: "Small" } }),
    scriptedModel([[text("large")]], { info: { id: "acme/large", name: "Large", thoughtLevels: ["low", "high"] } }),
    scriptedModel([[text("other")]], { info: { id: "umbrella/small", name: "Other" } }),
  ];
}

test("set_mode takes effect, and is told as mode and as option (C-247, C-248, Z-14)", async () => {
  await using scripted = await connectScripted();
  const { client } = scripted;
  const sessionId = await scripted.open();
  const from = scripted.heard.length;

  const answer = await client.extRequest("session/set_mode", { sessionId, modeId: "plan" });

  const updates = scripted.heardOf(sessionId).slice(from);
  expect(answer).toEqual({ _meta: { "_agentao.cn/modeId": "plan" } });
  expect(only(updates, "current_mode_update")).toEqual([
    { sessionUpdate: "current_mode_update", currentModeId: "plan" },
  ]);
  expect(
    only(updates, "config_option_update").map(({ configOptions }) =>
      configOptions.map(({ id, currentValue }) => [id, currentValue]),
    ),
  ).toEqual([
    [
      ["mode", "plan"],
      ["model", "scripted/script"],
    ],
  ]);
});

test("a mode nobody offered is refused with those there are (C-248)", async () => {
  await using scripted = await connectScripted();
  const sessionId = await scripted.open();

  expect(await errorOf(scripted.client.setMode(sessionId, "yolo"))).toEqual({
    code: -32602,
    message: 'Invalid params: there is no mode "yolo"; choose from read-only, workspace-write, full-access, plan',
  });
});

test("set_config_option sets model, mode and thought level, and answers all options (C-245, C-246, Z-13)", async () => {
  await using scripted = await connectScripted({ models: threeModels() });
  const { client } = scripted;
  const sessionId = await scripted.open();

  const steps = [
    await client.setConfigOption(sessionId, "model", "large"),
    await client.setConfigOption(sessionId, "thought_level", "high"),
    await client.setConfigOption(sessionId, "mode", "read-only"),
    await client.setConfigOption(sessionId, "model", "umbrella/small"),
  ];

  expect(steps.map(({ configOptions }) => configOptions.map(({ currentValue }) => currentValue))).toEqual([
    ["workspace-write", "acme/large", "low"],
    ["workspace-write", "acme/large", "high"],
    ["read-only", "acme/large", "high"],
    ["read-only", "umbrella/small"],
  ]);
  expect(only(scripted.heardOf(sessionId), "config_option_update").map(({ configOptions }) => configOptions)).toEqual(
    steps.map(({ configOptions }) => configOptions),
  );
  expect((await scripted.prompt(sessionId, "go")).text).toBe("other");
});

test("yes-or-no options are only for clients that take them (C-244)", async () => {
  const ids = async (capabilities: { session?: { configOptions: { boolean: object } } }) => {
    await using scripted = await connectScripted({ capabilities });
    const { configOptions } = await scripted.client.newSession({ cwd: scripted.cwd });
    return configOptions?.map(({ id }) => id);
  };

  expect(await ids({})).toEqual(["mode", "model"]);
  expect(await ids({ session: { configOptions: { boolean: {} } } })).toEqual(["mode", "model", "queue_prompts"]);
});

test.each<readonly [string, object, string]>([
  [
    "an unknown option",
    { configId: "colour", value: "red" },
    'there is no option "colour"; choose from mode, model, thought_level, queue_prompts',
  ],
  ["an unknown model", { configId: "model", value: "gpt-9" }, 'the model "gpt-9" is not known'],
  ["an unknown mode", { configId: "mode", value: "yolo" }, 'there is no mode "yolo"'],
  ["a level the model has not", { configId: "thought_level", value: "max" }, 'acme/small has no thought level "max"'],
  ["a text for yes or no", { configId: "queue_prompts", value: "yes" }, "queue_prompts is true or false"],
  [
    "a key",
    { configId: "model", value: "acme/large", apiKey: "s3cret" },
    "unexpected field(s) apiKey; credentials are read by agentao itself and never travel on the wire",
  ],
  [
    "an address",
    { configId: "model", value: "acme/large", baseUrl: "http://x" },
    "unexpected field(s) baseUrl; credentials are read by agentao itself and never travel on the wire",
  ],
])("set_config_option refuses %s with -32602 (Z-13)", async (_, params, problem) => {
  await using scripted = await connectScripted({ models: threeModels() });
  const sessionId = await scripted.open();

  expect(await errorOf(scripted.client.extRequest("session/set_config_option", { sessionId, ...params }))).toEqual({
    code: -32602,
    message: `Invalid params: ${problem}`,
  });
});

test("set_config_option takes _meta, and a type it does not know with a text (C-361)", async () => {
  await using scripted = await connectScripted({ models: threeModels() });
  const sessionId = await scripted.open();
  const params = { sessionId, configId: "model", type: "id", value: "large", _meta: { from: "test" } };

  expect(await scripted.client.extRequest("session/set_config_option", params)).toMatchObject({
    configOptions: [{ id: "mode" }, { id: "model", currentValue: "acme/large" }, { id: "thought_level" }],
  });
});

test.each(["_agentao.cn/set_model", "session/set_model"])(
  "%s changes the model, and tells the options (Z-13)",
  async (method) => {
    await using scripted = await connectScripted({ models: threeModels() });
    const { client } = scripted;
    const sessionId = await scripted.open();

    expect(await client.extRequest(method, { sessionId, model: "large" })).toEqual({ model: "acme/large" });
    expect((await scripted.prompt(sessionId, "go")).text).toBe("large");
    expect(only(scripted.heardOf(sessionId), "config_option_update")).toHaveLength(1);
  },
);

test.each<readonly [object, number, string]>([
  [{ model: "gpt-9" }, -32602, 'Invalid params: the model "gpt-9" is not known'],
  [{ model: " " }, -32602, "Invalid params: /model: expected the name of a model"],
  [{ model: 7 }, -32602, "Invalid params: /model: expected the name of a model"],
  [
    { model: "large", api_key: "s3cret" },
    -32602,
    "Invalid params: unexpected field(s) api_key; credentials are read by agentao itself and never travel on the wire",
  ],
  [{ sessionId: "sess_9", model: "large" }, -32002, "Session not found: sess_9"],
  [{ sessionId: 7, model: "large" }, -32602, "Invalid params: /sessionId: expected a string"],
])("_agentao.cn/set_model refuses %j (Z-13)", async (params, code, message) => {
  await using scripted = await connectScripted({ models: threeModels() });
  const sessionId = await scripted.open();

  expect(await errorOf(scripted.client.extRequest("_agentao.cn/set_model", { sessionId, ...params }))).toMatchObject({
    code,
    message,
  });
});

test("session/list_models names them, the default first", async () => {
  await using scripted = await connectScripted({ models: threeModels() });
  const sessionId = await scripted.open();

  expect(await scripted.client.extRequest("session/list_models", { sessionId })).toEqual({
    models: ["acme/small", "acme/large", "umbrella/small"],
  });
});

test("model and thought level are as they were after a reload (D3)", async () => {
  await using scripted = await connectScripted({ models: threeModels() });
  const { client, cwd } = scripted;
  const sessionId = await scripted.open();
  await client.setConfigOption(sessionId, "model", "acme/large");
  await client.setConfigOption(sessionId, "thought_level", "high");
  await client.closeSession(sessionId);

  const { configOptions } = await client.loadSession({ sessionId, cwd });

  expect(configOptions?.map(({ currentValue }) => currentValue)).toEqual(["workspace-write", "acme/large", "high"]);
});

test("a change during a turn counts from the next step (C-248)", async () => {
  await using scripted = await connectScripted({ models: threeModels() });
  const sessionId = await scripted.open();

  const seen = await scripted.prompt(sessionId, "/model large");

  expect(seen.text).toBe("Model: acme/large.");
  expect(only(seen.updates, "config_option_update")).toHaveLength(1);
});

test("a thought level that the model does not have is not sent, also after a load", async () => {
  const store = memoryStore({ now: () => NOON });
  const models = () => [
    scriptedModel([], { info: { id: "scripted/deep", thoughtLevels: ["low", "high"] } }),
    scriptedModel([[text("Hi.")]], { info: { id: "scripted/flat" } }),
  ];
  let sessionId: string;
  {
    await using scripted = await connectScripted({ models: models(), store });
    sessionId = await scripted.open();
    await scripted.client.setConfigOption(sessionId, "thought_level", "high");
    await scripted.client.setConfigOption(sessionId, "model", "scripted/flat");
    await scripted.client.closeSession(sessionId);
  }
  const again = models();
  await using scripted = await connectScripted({ models: again, store, ids: countingIds("b") });
  await scripted.client.loadSession({ sessionId, cwd: scripted.cwd });
  await scripted.prompt(sessionId, "Hello.");
  expect(again[1]?.asked[0]?.thoughtLevel).toBeUndefined();
});

test("a session goes on with the model it began with, whatever the default is by then", async () => {
  const store = memoryStore({ now: () => NOON });
  const a = () => scriptedModel([[text("Hi.")], [text("Hi.")]], { info: { id: "scripted/a" } });
  const b = () => scriptedModel([], { info: { id: "scripted/b" } });
  let sessionId: string;
  {
    await using scripted = await connectScripted({ models: [a(), b()], store });
    sessionId = await scripted.open();
    await scripted.prompt(sessionId, "Hello.");
    await scripted.client.closeSession(sessionId);
  }
  await using scripted = await connectScripted({ models: [b(), a()], store, ids: countingIds("b") });
  const { configOptions } = await scripted.client.loadSession({ sessionId, cwd: scripted.cwd });
  expect(configOptions?.find(({ id }) => id === "model")?.currentValue).toBe("scripted/a");
});

test.each([
  { usedTokens: 10_000_000, told: 200_000 },
  { usedTokens: 10.75, told: 11 },
])("what a provider counts is told as what a window can hold: $usedTokens", async ({ usedTokens, told }) => {
  await using scripted = await connectScripted({
    script: [[usage({ inputTokens: usedTokens, outputTokens: 0 }), text("Hi.")]],
  });
  const turn = await scripted.prompt(await scripted.open(), "Hello.");
  expect(only(turn.updates, "usage_update").at(-1)).toMatchObject({ used: told, size: 200_000 });
});

test.each(["api-key", "accessToken", "OPENAI_API_KEY", "client_secret", "headers"])(
  "a field like %s is refused where an option is set",
  async (field) => {
    await using scripted = await connectScripted();
    const sessionId = await scripted.open();
    const params = { sessionId, configId: "model", value: "scripted/script", [field]: "hunter2secret" };
    const refused = await errorOf(scripted.client.extRequest("session/set_config_option", params));
    expect(refused.code).toBe(-32602);
    expect(refused.message).not.toContain("hunter2secret");
  },
);
