// Sessions: made, listed, resumed, closed, deleted, forked.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, stall, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";
import { errorOf, messagesOf, only } from "./seen.ts";

const MODES = [
  { id: "read-only", name: "Read-only", description: "No writes or shell." },
  { id: "workspace-write", name: "Workspace write", description: "Writes + safe shell; asks for web." },
  { id: "full-access", name: "Full access", description: "All tools, no prompts." },
  { id: "plan", name: "Plan", description: "Plans only; does not execute." },
];

test("a new session comes with modes and options (C-145, C-243, C-247)", async () => {
  await using scripted = await connectScripted();

  expect(await scripted.client.newSession({ cwd: scripted.cwd })).toEqual({
    sessionId: "sess_1",
    modes: { currentModeId: "workspace-write", availableModes: MODES },
    configOptions: [
      {
        id: "mode",
        name: "Mode",
        description: "What agentao may do without asking",
        category: "mode",
        type: "select",
        currentValue: "workspace-write",
        options: MODES.map(({ id, ...mode }) => ({ value: id, ...mode })),
      },
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        currentValue: "scripted/script",
        options: [{ value: "scripted/script", name: "Scripted" }],
      },
    ],
  });
});

test("what is announced comes after the answer", async () => {
  await using scripted = await connectScripted();
  await scripted.open();

  expect(
    scripted.wire.slice(3).map(({ frame }) => {
      const { update } = "params" in frame ? (frame.params as { update: { sessionUpdate: string } }) : {};
      return update?.sessionUpdate ?? "answer";
    }),
  ).toEqual(["answer", "available_commands_update", "usage_update"]);
  expect(scripted.heard.map(({ update }) => update)).toEqual([
    {
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { name: "help", description: "What this session can do" },
        {
          name: "mode",
          description: "Show or change what I may do without asking",
          input: { hint: "[read-only|workspace-write|full-access|plan]" },
        },
        { name: "model", description: "Show or change the model", input: { hint: "[provider/model]" } },
        { name: "context", description: "How full the model's window is" },
        { name: "mcp", description: "Which MCP servers there are, and how they are" },
        { name: "tools", description: "What I can use" },
        { name: "permissions", description: "What I may do without asking, and by whose word" },
        {
          name: "memory",
          description: "Show what is remembered from session to session, or add to it",
          input: { hint: "[add [--user] TEXT]" },
        },
        {
          name: "compact",
          description: "Sum up the conversation so far, to make room in the model's window",
          input: { hint: "[what to keep in mind]" },
        },
      ],
    },
    { sessionUpdate: "usage_update", used: 0, size: 200_000 },
  ]);
});

test.each([
  ["", "cwd must not be empty"],
  ["work", "cwd must be an absolute path, got 'work'"],
  ["./work", "cwd must be an absolute path, got './work'"],
  ["/no/such/folder", "cwd does not exist: '/no/such/folder'"],
  ["/dev/null", "cwd is not a directory: '/dev/null'"],
])("refuses %j as a working directory (C-146, Z-04)", async (cwd, problem) => {
  await using scripted = await connectScripted();

  expect(await errorOf(scripted.client.newSession({ cwd }))).toEqual({
    code: -32602,
    message: `Invalid params: session/new.${problem}`,
  });
});

test.each([
  ["relative", "additionalDirectories must be an absolute path, got 'relative'"],
  ["", "additionalDirectories must not be empty"],
  ["/no/such/folder", "additionalDirectories does not exist: '/no/such/folder'"],
])("refuses %j as a further folder (C-155, C-157)", async (folder, problem) => {
  await using scripted = await connectScripted();

  expect(await errorOf(scripted.open({ additionalDirectories: [folder] }))).toEqual({
    code: -32602,
    message: `Invalid params: session/new.${problem}`,
  });
});

test("takes stdio servers with a type, and goes without the list (C-360, Z-04)", async () => {
  await using scripted = await connectScripted();
  const { client, cwd } = scripted;
  const server = { type: "stdio", name: "s", command: "true", args: [], env: [] };

  const answers = await Promise.all([
    client.extRequest("session/new", { cwd }),
    client.extRequest("session/new", { cwd, mcpServers: null }),
    client.extRequest("session/new", { cwd, mcpServers: [server] }),
  ]);

  expect(answers.map((answer) => (answer as { sessionId: string }).sessionId).sort()).toEqual([
    "sess_1",
    "sess_2",
    "sess_3",
  ]);
});

test("two sessions work in their own folders (C-147, C-203)", async () => {
  const write = call("write_file", { file_path: "x.txt", content: "x" });
  await using scripted = await connectScripted({ script: [[write], [write], [text("a")], [text("b")]] });
  const other = await scripted.folder("other");
  const sessions = [await scripted.open(), await scripted.open({ cwd: other })];

  const turns = await Promise.all(sessions.map((sessionId) => scripted.prompt(sessionId, "go")));

  expect(turns.flatMap(({ updates }) => only(updates, "tool_call").flatMap(({ locations }) => locations))).toEqual([
    { path: join(scripted.cwd, "x.txt") },
    { path: join(other, "x.txt") },
  ]);
});

test("further folders may be written, and are told to the model (C-149, C-150)", async () => {
  await using scripted = await connectScripted();
  const other = await scripted.folder("other");
  await using working = await connectScripted({
    script: [[call("write_file", { file_path: join(other, "x.txt"), content: "x" })], [text("ok")]],
  });

  const { updates } = await working.prompt(await working.open({ additionalDirectories: [other] }), "go");

  expect(only(updates, "tool_call_update").at(-1)?.status).toBe("completed");
  expect(working.asked).toEqual([]);
  expect(working.model.asked[0]?.system).toContain(`Further folders of this session: ${other}`);
});

test("resume goes on without a replay (C-169)", async () => {
  await using scripted = await connectScripted({ script: [[text("one")], [text("two")]] });
  const { client, cwd } = scripted;
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "first");
  await client.setMode(sessionId, "plan");
  await client.closeSession(sessionId);
  const from = scripted.heard.length;

  const { modes } = await client.resumeSession({ sessionId, cwd });
  const before = scripted.heard.length;
  await scripted.prompt(sessionId, "second");

  expect(before).toBe(from);
  expect(modes?.currentModeId).toBe("plan");
  expect(messagesOf(scripted.model.asked[1]).map(({ parts }) => parts[0])).toEqual([
    { type: "text", text: "first" },
    { type: "text", text: "one" },
    { type: "text", text: "second" },
  ]);
});

test("close ends the running prompt, and the session is unknown from then on (C-172, C-173, C-174)", async () => {
  await using scripted = await connectScripted({ script: [[text("on"), stall()]] });
  const { client } = scripted;
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.heard.at(-1)?.update.sessionUpdate === "agent_message_chunk");
  const closed = await client.extRequest("session/close", { sessionId });

  expect(closed).toEqual({});
  expect((await turn).stopReason).toBe("cancelled");
  expect(await errorOf(scripted.prompt(sessionId, "again"))).toMatchObject({ code: -32002 });
  expect(await errorOf(client.extRequest("session/close", { sessionId }))).toMatchObject({ code: -32002 });
});

test("delete takes a session away, open or not, known or not (C-181, C-182)", async () => {
  await using scripted = await connectScripted({ script: [[text("on"), stall()]] });
  const { client } = scripted;
  const sessionId = await scripted.open();
  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.heard.at(-1)?.update.sessionUpdate === "agent_message_chunk");

  for (const id of [sessionId, sessionId, "sess_unknown", "../../etc/passwd"]) {
    expect(await client.extRequest("session/delete", { sessionId: id })).toEqual({});
  }

  expect((await turn).stopReason).toBe("cancelled");
  expect(await client.listSessions()).toEqual({ sessions: [] });
});

test("when close is answered, the processes of the session are gone (C-172, C-217)", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: `trap "" TERM; echo $$ > pid; echo ready; sleep 60; sleep 60` })]],
    answer: "allow_once",
  });
  const sessionId = await scripted.open();
  void scripted.prompt(sessionId, "go");
  const shown = () => only(scripted.heardOf(sessionId), "tool_call_update").flatMap(({ content }) => content ?? []);
  await scripted.until(() => JSON.stringify(shown()).includes("ready"));
  const pid = (await scripted.get("pid")).trim();

  await scripted.client.closeSession(sessionId);

  expect(existsSync(`/proc/${pid}`)).toBe(false);
});
