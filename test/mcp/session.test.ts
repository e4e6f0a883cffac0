// Servers a client brings along: their tools are the model's, their results are told to it and shown to the client, and
// nothing runs that nobody allowed.

import { expect, test } from "vitest";
import { call, text, when } from "../../packages/agent/src/model/script.ts";
import { errorOf, only, resultsOf } from "../agent/seen.ts";
import { isAlive } from "../process/process-mark.ts";
import {
  announced,
  connect,
  type GivenServer,
  notices,
  odd,
  offered,
  official,
  openWith,
  scene,
  script,
  told,
} from "./door.ts";
import { twoEraServer } from "./stage.ts";

test("C-151 tools of a stdio server are in the first request, and can be called", async () => {
  await using scripted = await connect({ script: script(call("mcp_odd_echo", { text: "hi" })) });
  const sessionId = await openWith(scripted, odd("odd"));

  const { stopReason, text: said } = await scripted.prompt(sessionId, "go");

  expect([stopReason, said]).toEqual(["end_turn", "done"]);
  expect(offered(scripted).slice(0, 3)).toEqual(["mcp_odd_echo", "mcp_odd_slow", "mcp_odd_die"]);
  expect(scripted.model.asked[0]?.tools.find(({ name }) => name === "mcp_odd_echo")).toEqual({
    name: "mcp_odd_echo",
    description: "Does echo.",
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
  });
  expect(told(scripted)).toEqual(["echo: hi"]);
  expect(notices(scripted, sessionId)).toEqual([]);
});

test.each<readonly [string, (server: GivenServer) => GivenServer]>([
  ["with a type", (server) => ({ type: "stdio", ...server })],
  ["without an environment", ({ env: _, ...server }) => server],
  ["with fields of other clients", (server) => ({ ...server, _meta: { a: 1 }, disabled: false })],
])("C-151 a stdio server is taken %s", async (_, change) => {
  await using scripted = await connect({ script: script() });
  const sessionId = await openWith(scripted, change(odd("odd")));

  await scripted.prompt(sessionId, "go");

  expect(offered(scripted)).toContain("mcp_odd_echo");
});

test("C-152 every server of a list is connected; of two with one name the later counts", async () => {
  await using scripted = await connect({ script: script() });
  const sessionId = await openWith(scripted, odd("a", "--tool=first"), odd("b"), odd("a", "--tool=second"));

  await scripted.prompt(sessionId, "go");

  const names = offered(scripted);
  expect(names).toEqual(expect.arrayContaining(["mcp_a_second", "mcp_b_echo"]));
  expect(names).not.toContain("mcp_a_first");
});

test("servers of a configuration are there too; of one name, the client's counts, and is not trusted for it", async () => {
  const configured = (name: string) => ({
    name,
    source: "user" as const,
    trust: true,
    startMs: 20_000,
    transport: { type: "stdio" as const, command: process.execPath, args: [twoEraServer], env: {} },
  });
  await using scripted = await connect({
    script: script(call("mcp_both_echo", { text: "hi" })),
    runtime: { servers: async () => ({ servers: [configured("sky"), configured("both")], notices: [] }) },
  });

  await scripted.prompt(await openWith(scripted, odd("both")), "go");

  const names = offered(scripted);
  expect(names).toEqual(expect.arrayContaining(["mcp_sky_weather", "mcp_both_echo"]));
  expect(names).not.toContain("mcp_both_weather");
  expect(scripted.asked).toHaveLength(1);
});

test("a call of a server that nobody trusts is asked for, as it was announced", async () => {
  await using scripted = await connect({
    script: script(call("mcp_odd_echo", { text: "hi" })),
    answer: "reject_once",
  });
  const sessionId = await openWith(scripted, odd("odd"));

  const { updates } = await scripted.prompt(sessionId, "go");

  const toolCall = {
    toolCallId: "call_1",
    title: "Odd: echo",
    name: "mcp_odd_echo",
    kind: "other",
    status: "pending",
    rawInput: { text: "hi" },
  };
  expect(scripted.asked.map((one) => one.toolCall)).toEqual([toolCall]);
  expect(scripted.asked[0]?.options.map(({ optionId }) => optionId)).toContain("allow_always");
  expect(only(updates, "tool_call")).toEqual([{ sessionUpdate: "tool_call", ...toolCall }]);
  expect(resultsOf(scripted.model.asked[1])).toMatchObject([{ failed: true, name: "mcp_odd_echo" }]);
  expect(told(scripted).join()).not.toContain("echo: hi");
});

test("an always-answer holds for that tool, and for no other of the server", async () => {
  await using scripted = await connect({
    script: script(call("mcp_odd_echo", { text: "1" }), call("mcp_odd_echo", { text: "2" }), call("mcp_odd_pid")),
    answer: "allow_always",
  });
  const sessionId = await openWith(scripted, odd("odd"));

  await scripted.prompt(sessionId, "go");

  expect(scripted.asked.map(({ toolCall }) => toolCall.name)).toEqual(["mcp_odd_echo", "mcp_odd_pid"]);
});

test("images, links, embedded and structured results reach the model, and the client as content", async () => {
  await using scripted = await connect({
    script: script(
      call("mcp_every_get-tiny-image"),
      call("mcp_every_get-resource-links", { count: 1 }),
      call("mcp_every_get-resource-reference", { resourceType: "Text", resourceId: 1 }),
      call("mcp_every_get-structured-content", { location: "New York" }),
    ),
  });
  const sessionId = await openWith(scripted, official("every"));

  const { updates } = await scripted.prompt(sessionId, "go");

  expect(told(scripted)).toEqual([
    expect.stringContaining("<image>"),
    expect.stringMatching(/\]\(demo:\/\/resource\//),
    expect.stringContaining("[demo://resource/dynamic/text/1]\n"),
    expect.stringContaining('"temperature"'),
  ]);
  const shown = only(updates, "tool_call_update").filter(({ status }) => status === "completed");
  expect(
    shown.map(({ content }) => content?.map((one) => (one.type === "content" ? one.content.type : one.type))),
  ).toEqual([
    expect.arrayContaining(["text", "image"]),
    expect.arrayContaining(["text"]),
    expect.arrayContaining(["text"]),
    ["text"],
  ]);
});

test("a result that says it is an error, and a server that answers with one, are told as failures", async () => {
  await using scripted = await connect({ script: script(call("mcp_odd_broken"), call("mcp_scene_refuse")) });
  const sessionId = await openWith(scripted, odd("odd"), scene("scene"));

  const { updates } = await scripted.prompt(sessionId, "go");

  expect(resultsOf(scripted.model.asked.at(-1))).toMatchObject([
    { failed: true, parts: [{ type: "text", text: "it broke" }] },
    { failed: true, parts: [{ type: "text", text: "Error: scene: refused to [redacted]" }] },
  ]);
  const ends = only(updates, "tool_call_update").filter(({ status }) => status !== "in_progress");
  expect(ends.map(({ status }) => status)).toEqual(["failed", "failed"]);
});

test("progress is shown while a call runs", async () => {
  await using scripted = await connect({ script: script(call("mcp_odd_progress")) });
  const sessionId = await openWith(scripted, odd("odd"));

  const { updates } = await scripted.prompt(sessionId, "go");

  const shown = only(updates, "tool_call_update").map(({ status, content }) => [
    status,
    content?.map((one) => (one.type === "content" && one.content.type === "text" ? one.content.text : one.type)).join(),
  ]);
  expect(shown).toEqual(expect.arrayContaining([["in_progress", "Walking (3 of 3)"]]));
  expect(shown.at(-1)).toEqual(["completed", "there"]);
});

test("calls that only read, of a server that is trusted, run side by side and are not asked for", async () => {
  const transport = { type: "stdio" as const, command: process.execPath, args: [twoEraServer], env: {} };
  const trusted = { name: "sky", source: "user" as const, trust: true, startMs: 20_000, transport };
  await using scripted = await connect({
    script: script([call("mcp_sky_weather", { city: "Bern" }), call("mcp_sky_weather", { city: "Rome" })]),
    runtime: { servers: async () => ({ servers: [trusted], notices: [] }) },
  });

  const { updates } = await scripted.prompt(await openWith(scripted), "go");

  expect(scripted.asked).toEqual([]);
  expect(told(scripted)).toEqual(["Rain in Bern", "Rain in Rome"]);
  const order = only(updates, "tool_call_update").map(({ status }) => status);
  expect(order).toEqual(["in_progress", "in_progress", "completed", "completed"]);
});

test("cancel ends the turn at once, and the server hears of it", async () => {
  await using scripted = await connect({
    script: [
      when({ lastUserText: /^slow$/ }, call("mcp_odd_slow")),
      when({ lastUserText: /^seen$/ }, call("mcp_odd_seen")),
      when({ lastResult: /./ }, text("done")),
    ],
  });
  const sessionId = await openWith(scripted, odd("odd"));
  const turn = scripted.client.prompt(sessionId, "slow");
  await scripted.until(() =>
    only(scripted.heardOf(sessionId), "tool_call_update").some(({ status }) => status === "in_progress"),
  );

  const began = performance.now();
  await scripted.client.cancel(sessionId);
  const { stopReason } = await turn.result;
  const tookMs = performance.now() - began;
  await scripted.prompt(sessionId, "seen");

  expect(stopReason).toBe("cancelled");
  expect(tookMs).toBeLessThan(3_000);
  expect(JSON.parse(told(scripted).at(-1) ?? "")).toHaveLength(1);
});

test("/mcp says how the servers are, without the model", async () => {
  await using scripted = await connect();
  const sessionId = await openWith(scripted, odd("odd", "--many=2"), {
    name: "gone",
    command: "no-such-program-anywhere",
    args: [],
    env: [],
  });

  const { text: said } = await scripted.prompt(sessionId, "/mcp");

  expect(said).toMatch(/^- \*\*odd\*\* \(stdio, from the client\): connected\. 2 tools: `t0_0`, `t0_1`\.$/m);
  expect(said).toMatch(/^- \*\*gone\*\* \(stdio, from the client\): failed, .*no-such-program-anywhere/m);
  expect(scripted.model.asked).toEqual([]);
});

test("/mcp in a session without servers says so", async () => {
  await using scripted = await connect();

  const { text: said } = await scripted.prompt(await openWith(scripted), "/mcp");

  expect(said).toBe("There are no MCP servers in this session. `agentao mcp add` adds one.");
});

test.each(["load", "resume", "fork"] as const)("session/%s takes servers too", async (method) => {
  await using scripted = await connect({
    script: [when({ lastResult: /./ }, text("done")), when({}, call("mcp_again_echo", { text: "hi" }))],
  });
  const first = await openWith(scripted);
  await scripted.client.closeSession(first);
  const params = { sessionId: first, cwd: scripted.cwd, mcpServers: [odd("again")] as never };

  const answers = {
    load: () => scripted.client.loadSession(params),
    resume: () => scripted.client.resumeSession(params),
    fork: () => scripted.client.request("forkSession", params),
  };
  const { sessionId = first } = (await answers[method]()) as { sessionId?: string };
  await announced(scripted, sessionId);
  await scripted.prompt(sessionId, "go");

  expect(offered(scripted)).toContain("mcp_again_echo");
  expect(told(scripted)).toEqual(["echo: hi"]);
});

test("a session that is closed leaves no process, nor does a runtime", async () => {
  const scripted = await connect({
    script: [when({ lastResult: /./ }, text("done")), when({}, call("mcp_odd_family"))],
  });
  const pids: number[][] = [];
  try {
    const sessions = [await openWith(scripted, odd("odd")), await openWith(scripted, odd("odd", "--stubborn"))];
    for (const sessionId of sessions) {
      await scripted.prompt(sessionId, "go");
      pids.push((told(scripted).at(-1) ?? "").split(" ").map(Number));
    }
    expect(pids.flat().map(isAlive)).toEqual([true, true, true, true]);

    await scripted.client.closeSession(sessions[0] as string);
    expect(pids.map((some) => some.map(isAlive))).toEqual([
      [false, false],
      [true, true],
    ]);
  } finally {
    await scripted[Symbol.asyncDispose]();
  }
  expect(pids.flat().map(isAlive)).toEqual([false, false, false, false]);
});

test("the tools of a session are seen in no other, of twenty", { timeout: 120_000 }, async () => {
  await using scripted = await connect({ script: Array.from({ length: 20 }, () => [text("ok")]) });
  const sessions = await Promise.all(
    Array.from({ length: 20 }, (_, at) => openWith(scripted, odd(`s${at}`, `--tool=only_${at}`, "--many=0"))),
  );

  for (const sessionId of sessions) await scripted.prompt(sessionId, "go");

  for (const at of sessions.keys()) {
    const names = offered(scripted, at);
    expect(names).toContain(`mcp_s${at}_only_${at}`);
    expect(names.filter((name) => !name.startsWith(`mcp_s${at}_`))).toEqual([]);
  }
});

// The first six are found by the decoder of the frame, as in every other method.
test.each<readonly [string, unknown, string]>([
  ["no list", { a: 1 }, "/mcpServers: expected an array"],
  ["no object", ["x"], "/mcpServers/0: expected an object"],
  ["no name", [{ command: "x", args: [], env: [] }], "/mcpServers/0/name: expected a string"],
  ["no command", [{ name: "a", args: [], env: [] }], "/mcpServers/0/command: expected a string"],
  ["no url", [odd("ok"), { type: "http", name: "a", headers: [] }], "/mcpServers/1/url: expected a string"],
  [
    "a header without a value",
    [{ type: "http", name: "a", url: "http://127.0.0.1:1", headers: [{ name: "x" }] }],
    "/mcpServers/0/headers/0/value: expected a string",
  ],
  ["an empty name", [odd(" ")], "METHOD.mcpServers[0].name must be a non-empty string"],
  [
    "an empty command",
    [odd("ok"), { name: "a", command: " ", args: [], env: [] }],
    "METHOD.mcpServers[1].command must be a non-empty string",
  ],
  [
    "an empty url",
    [{ type: "sse", name: "a", url: "", headers: [] }],
    "METHOD.mcpServers[0].url must be a non-empty string",
  ],
  [
    "an unknown type",
    [{ ...odd("a"), type: "ws" }],
    "METHOD.mcpServers[0].type must be one of 'stdio', 'sse', 'http', got 'ws'",
  ],
])("refuses servers with %s, and makes no session", async (_, mcpServers, problem) => {
  await using scripted = await connect();
  const place = { cwd: scripted.cwd, mcpServers } as never as { cwd: string };
  const stored = { ...place, sessionId: "sess_x" };
  const { client } = scripted;

  expect({
    "session/new": await errorOf(client.newSession(place)),
    "session/load": await errorOf(client.loadSession(stored)),
    "session/resume": await errorOf(client.resumeSession(stored)),
    "session/fork": await errorOf(client.request("forkSession", stored)),
  }).toEqual(
    Object.fromEntries(
      ["session/new", "session/load", "session/resume", "session/fork"].map((method) => [
        method,
        { code: -32602, message: `Invalid params: ${problem.replace("METHOD", method)}` },
      ]),
    ),
  );
  expect((await client.listSessions({})).sessions).toEqual([]);
});
