// The first words between client and agent.

import { expect, test } from "vitest";
import { connectScripted, INFO } from "./connect-scripted.ts";
import { errorOf } from "./seen.ts";

test("tells what it can do, and nothing it cannot (C-120, C-125, C-129, C-131, Z-01, Z-11)", async () => {
  await using scripted = await connectScripted({ initialize: false });

  expect(await scripted.client.initialize()).toEqual({
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { additionalDirectories: {}, list: {}, resume: {}, close: {}, delete: {}, fork: {} },
      auth: { logout: {} },
    },
    authMethods: [
      {
        id: "environment",
        name: "Keys from the environment",
        description: "agentao reads provider keys such as OPENAI_API_KEY from its environment; nothing is sent here.",
      },
    ],
    agentInfo: INFO,
    _meta: {
      "_agentao.cn/extensions": [
        { method: "_agentao.cn/ask_user", description: "Asks the person a question in free form." },
        { method: "_agentao.cn/set_model", description: "Changes the model of a session." },
      ],
    },
  });
});

test("its first frame is the answer to initialize", async () => {
  await using scripted = await connectScripted();

  expect(scripted.wire.map(({ from, frame }) => [from, "method" in frame ? frame.method : "answer"])).toEqual([
    ["client", "initialize"],
    ["agent", "answer"],
  ]);
});

test.each([0, 1, 2, 99, 65_535])("answers version %d with version 1 (C-121, C-122, Z-02)", async (protocolVersion) => {
  await using scripted = await connectScripted({ initialize: false });

  const answer = await scripted.client.extRequest("initialize", { protocolVersion });

  expect(answer).toMatchObject({ protocolVersion: 1 });
});

test.each([["1"], [true], [1.5], [-1], [65_536], [null], [undefined]])(
  "refuses %j as a version with -32602 (C-123, Z-02)",
  async (protocolVersion) => {
    await using scripted = await connectScripted({ initialize: false });

    expect(await errorOf(scripted.client.extRequest("initialize", { protocolVersion }))).toMatchObject({
      code: -32602,
    });
  },
);

test.each([
  ["session/new", { cwd: "/", mcpServers: [] }],
  ["session/load", { sessionId: "x", cwd: "/", mcpServers: [] }],
  ["session/list", {}],
  ["session/prompt", { sessionId: "x", prompt: [] }],
  ["session/set_mode", { sessionId: "x", modeId: "plan" }],
  ["authenticate", { methodId: "environment" }],
])("refuses %s before initialize with -32002 and a reason (Z-03)", async (method, params) => {
  await using scripted = await connectScripted({ initialize: false });

  expect(await errorOf(scripted.client.extRequest(method, params))).toEqual({
    code: -32002,
    message: "Not initialized: send initialize first",
    data: { reason: "not_initialized" },
  });
});

test.each([
  ["_agentao.cn/set_model", { sessionId: "x", model: "y" }],
  ["session/set_model", { sessionId: "x", model: "y" }],
  ["session/list_models", { sessionId: "x" }],
  ["session/cancel", { sessionId: "x" }],
])("refuses %s before initialize with -32002 and a reason, too (Z-03)", async (method, params) => {
  await using scripted = await connectScripted({ initialize: false });

  expect(await errorOf(scripted.client.extRequest(method, params))).toMatchObject({
    code: -32002,
    data: { reason: "not_initialized" },
  });
});

test("asks to sign in again after logout, and no longer after authenticate (C-135, C-137, C-138, C-139)", async () => {
  await using scripted = await connectScripted();
  const { client, cwd } = scripted;

  await client.logout();
  const refused = await errorOf(client.newSession({ cwd }));
  await client.authenticate("environment");
  const { sessionId } = await client.newSession({ cwd });

  expect(refused).toEqual({ code: -32000, message: "You are signed out. Sign in again to open a session." });
  expect(sessionId).toBe("sess_1");
});

test.each([
  ["session/load", { sessionId: "sess_1", mcpServers: [] }],
  ["session/resume", { sessionId: "sess_1" }],
  ["session/fork", { sessionId: "sess_1" }],
])("signed out, %s is refused with -32000 (C-139)", async (method, params) => {
  await using scripted = await connectScripted();
  await scripted.client.logout();

  const refused = await errorOf(scripted.client.extRequest(method, { ...params, cwd: scripted.cwd }));

  expect(refused).toMatchObject({ code: -32000 });
});

test("a sign-in method nobody offered is an error (C-136)", async () => {
  await using scripted = await connectScripted();

  expect(await errorOf(scripted.client.extRequest("authenticate", { methodId: "browser" }))).toEqual({
    code: -32602,
    message: 'Invalid params: there is no sign-in method "browser"',
  });
});

test("goes without client capabilities, client info, and with nonsense in their place (C-124, C-128, C-357)", async () => {
  await using scripted = await connectScripted({ initialize: false });
  const { client, cwd } = scripted;

  await client.extRequest("initialize", { protocolVersion: 1 });
  await client.extRequest("initialize", { protocolVersion: 1, clientCapabilities: { fs: 7 }, clientInfo: "me" });

  expect(await client.extRequest("session/new", { cwd })).toMatchObject({ sessionId: "sess_1" });
});

test("a method nobody knows is -32601", async () => {
  await using scripted = await connectScripted();

  expect(await errorOf(scripted.client.extRequest("session/teleport", {}))).toEqual({
    code: -32601,
    message: "Method not found: session/teleport",
    data: { method: "session/teleport" },
  });
});
