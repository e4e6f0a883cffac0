// No line is longer than 48 KiB, whatever passes: the harness measures each one, here they are made long.

import { expect, test } from "vitest";
import { call, fail, reasoning, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";
import { errorOf, only, textOf } from "./seen.ts";

const LONG = '语 "\\\n'.repeat(40_000);

test("a delta of any length is split, and nothing of it is lost", async () => {
  await using scripted = await connectScripted({
    script: [[reasoning(LONG), text(LONG)]],
    scripted: { chunk: "whole" },
  });
  const sessionId = await scripted.open();

  const { text: said, updates } = await scripted.prompt(sessionId, "go");

  expect(said).toBe(LONG);
  expect(only(updates, "agent_message_chunk").length).toBeGreaterThan(10);
});

test("a long answer is whole after a replay", async () => {
  await using scripted = await connectScripted({ script: [[text(LONG)]], scripted: { chunk: "whole" } });
  const { client, cwd } = scripted;
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, LONG);
  await client.closeSession(sessionId);
  const from = scripted.heard.length;

  await client.loadSession({ sessionId, cwd });

  expect(textOf(scripted.heard.slice(from).map(({ update }) => update))).toBe(LONG);
});

test("control characters, which take six bytes each", async () => {
  const bells = "\u0007".repeat(100_000);
  await using scripted = await connectScripted({ script: [[text(bells)]], scripted: { chunk: "whole" } });

  expect((await scripted.prompt(await scripted.open(), "go")).text).toBe(bells);
});

test.each([
  ["read_file", { file_path: "long.txt" }],
  ["write_file", { file_path: "new.txt", content: LONG }],
  ["write_file", { file_path: "long.txt", content: LONG.replaceAll("语", "言") }],
  ["replace", { file_path: "long.txt", old_text: "语", new_text: LONG, replace_all: false }],
  ["run_shell_command", { command: "cat long.txt; touch x" }],
  ["run_shell_command", { command: `echo ${"x".repeat(100_000)} > x` }],
  ["todo_write", { todos: Array.from({ length: 64 }, () => ({ content: "语".repeat(5_000) })) }],
  ["no_such_tool", { deep: { text: LONG, list: Array.from({ length: 50_000 }, (_, at) => at) } }],
  ["read_file", LONG],
])("%s with long input or output", async (tool, input) => {
  await using scripted = await connectScripted({ script: [[call(tool, input)], [text("ok")]], answer: "allow_once" });
  await scripted.put("long.txt", LONG);

  const seen = await scripted.prompt(await scripted.open(), "go");

  expect(seen).toMatchObject({ stopReason: "end_turn", text: "ok" });
});

test("images: read by a tool, sent by the person, replayed", async () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(200_000)]);
  await using scripted = await connectScripted({ script: [[call("read_file", { file_path: "a.png" })], [text("ok")]] });
  const { client, cwd } = scripted;
  await scripted.put("a.png", png);
  const sessionId = await scripted.open();

  await scripted.prompt(sessionId, [{ type: "image", mimeType: "image/png", data: png.toString("base64") }]);
  await client.closeSession(sessionId);
  await client.loadSession({ sessionId, cwd });

  expect(only(scripted.heardOf(sessionId), "user_message_chunk")).toEqual([
    {
      sessionUpdate: "user_message_chunk",
      messageId: "msg_1",
      content: { type: "text", text: "[image: image/png, 195 KB, too large to show here]" },
    },
  ]);
});

test.each([
  ["many fields", Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}`, at]))],
  ["a long name", { ["x".repeat(60_000)]: 1 }],
])("a call whose input has %s", async (_, value) => {
  await using scripted = await connectScripted({ script: [[call("no_such_tool", { value })], [text("ok")]] });

  expect(await scripted.prompt(await scripted.open(), "go")).toMatchObject({ stopReason: "end_turn" });
});

test("a call whose input is nested without end is told all the same", async () => {
  const input = `{"value":${"[".repeat(8_000)}${"]".repeat(8_000)}}`;
  await using scripted = await connectScripted({ script: [[call("no_such_tool", input)], [text("ok")]] });

  const { stopReason, updates } = await scripted.prompt(await scripted.open(), "go");

  expect(stopReason).toBe("end_turn");
  expect(only(updates, "tool_call")).toMatchObject([{ title: expect.stringContaining("no_such_tool") }]);
});

test("an id of a call that goes beyond all reason is replaced by one of ours", async () => {
  const script = [
    [call("no_such_tool", {}, "x".repeat(100_000)), call("no_such_tool", {}, "y".repeat(128))],
    [text("ok")],
  ];
  await using scripted = await connectScripted({ script });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const ids = only(updates, "tool_call").map(({ toolCallId }) => toolCallId);
  expect(ids).toEqual([expect.stringMatching(/^.{1,40}$/), "y".repeat(128)]);
});

test("a call whose input has lists in lists", async () => {
  const twelve = <T>(item: T): T[] => Array.from({ length: 12 }, () => item);
  const value = twelve(twelve(twelve(twelve(1_000_000))));
  await using scripted = await connectScripted({ script: [[call("no_such_tool", { value })], [text("ok")]] });

  expect(await scripted.prompt(await scripted.open(), "go")).toMatchObject({ stopReason: "end_turn" });
});

test.each([{}, { createElicitation: () => ({ action: "cancel" as const }) }])(
  "a question of any length to the person",
  async (handlers) => {
    await using scripted = await connectScripted({
      script: [[call("ask_user", { question: LONG, options: [LONG, "b"] })], [text("ok")]],
      handlers,
    });

    expect(await scripted.prompt(await scripted.open(), "go")).toMatchObject({ stopReason: "end_turn" });
  },
);

test("the error of a failed turn", async () => {
  await using scripted = await connectScripted({ script: [[fail("bad-request", LONG)]] });

  expect(await errorOf(scripted.prompt(await scripted.open(), "go"))).toMatchObject({ code: -32603 });
});

test("a long file written through the client", async () => {
  await using scripted = await connectScripted({
    script: [[call("write_file", { file_path: "a.txt", content: LONG })], [text("ok")]],
    handlers: { writeTextFile: () => ({}) },
  });

  expect(await scripted.prompt(await scripted.open(), "go")).toMatchObject({ stopReason: "end_turn" });
});

test("a long command in the client's terminal", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: `cat > x <<'EOF'\n${LONG}\nEOF` })], [text("ok")]],
    answer: "allow_once",
    handlers: {
      createTerminal: () => ({ terminalId: "term_1" }),
      terminalOutput: () => ({ output: "", truncated: false, exitStatus: { exitCode: 0 } }),
      waitForTerminalExit: () => ({ exitCode: 0 }),
      killTerminal: () => ({}),
      releaseTerminal: () => ({}),
    },
  });

  expect(await scripted.prompt(await scripted.open(), "go")).toMatchObject({ stopReason: "end_turn" });
});

test("a page of sessions in folders with long names", async () => {
  await using scripted = await connectScripted();
  const cwd = await scripted.folder(Array.from({ length: 6 }, () => "d".repeat(200)).join("/"));
  for (let at = 0; at < 50; at++) {
    const sessionId = await scripted.open({ cwd });
    await scripted.prompt(sessionId, `/help`);
  }

  expect((await scripted.client.listSessions()).sessions.length).toBeGreaterThan(0);
});

test.each([
  ["session/set_mode", { modeId: LONG }],
  ["session/set_config_option", { configId: LONG, value: "x" }],
  ["_agentao.cn/set_model", { model: LONG }],
])("an error about a long value of %s", async (method, params) => {
  await using scripted = await connectScripted();
  const sessionId = await scripted.open();

  expect(await errorOf(scripted.client.extRequest(method, { sessionId, ...params }))).toMatchObject({ code: -32602 });
});
