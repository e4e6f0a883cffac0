// A session that is loaded tells the same story as it did live.

import { emptyTranscript, foldTranscript, type SessionUpdate, type Transcript } from "@agentao/acp";
import { expect, test } from "vitest";
import {
  call,
  cut,
  fail,
  notice,
  reasoning,
  type Script,
  stall,
  text,
  usage,
} from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { errorOf, messagesOf, only } from "./seen.ts";

/** Everything said since, without what the person said: a client knows that by itself. */
function seenBy(updates: readonly SessionUpdate[]): Transcript {
  const transcript = foldTranscript(emptyTranscript, updates);
  const items = transcript.items.filter((item) => item.type !== "message" || item.from !== "user");
  // What can be chosen comes with the answer to `session/load`; commands are announced behind it.
  return { ...transcript, items, configOptions: [], commands: [] };
}

async function reload(scripted: Scripted, sessionId: string): Promise<readonly SessionUpdate[]> {
  await scripted.client.closeSession(sessionId);
  const from = scripted.heard.length;
  await scripted.client.loadSession({ sessionId, cwd: scripted.cwd });
  return scripted.heard.slice(from).map(({ update }) => update);
}

const plan = {
  todos: [
    { content: "Look", status: "completed" },
    { content: "Write", status: "pending" },
  ],
};

const stories: readonly (readonly [string, Script])[] = [
  ["words and thoughts", [[reasoning("Let me see."), text("It is so."), reasoning("Or is it?"), text(" Yes.")]]],
  [
    "files read and written",
    [
      [text("I look."), call("read_file", { file_path: "a.txt", offset: 2 }), call("list_directory", {})],
      [
        call("write_file", { file_path: "b.txt", content: "new\n" }),
        call("replace", { file_path: "a.txt", old_text: "two", new_text: "2" }),
      ],
      [text("Done.")],
    ],
  ],
  [
    "a command with output, one that fails, and one that is denied",
    [
      [call("run_shell_command", { command: "echo out" }), call("run_shell_command", { command: "cat nothing" })],
      [call("run_shell_command", { command: "touch x" })],
      [text("Done.")],
    ],
  ],
  ["a plan that changes", [[call("todo_write", plan)], [call("todo_write", { todos: [] })], [text("Done.")]]],
  [
    "nonsense the model asked for",
    [[call("read_file", "{nonsense"), call("fly_away", { to: "moon" })], [text("Well.")]],
  ],
  ["a turn that failed", [[text("I beg"), fail("overloaded", "The provider is overloaded.")]]],
  ["an answer that broke off", [[text("I beg"), cut()]]],
  ["usage with a price", [[text("ok"), usage({ inputTokens: 10, outputTokens: 5, cost: 0.25 })]]],
  [
    "ids the model used twice",
    [[call("list_directory", {}, "same")], [call("read_file", { file_path: "a.txt" }, "same")], [text("ok")]],
  ],
];

test.each(stories)("%s (C-165, C-167, Z-09)", async (_, script) => {
  await using scripted = await connectScripted({ script });
  await scripted.put("a.txt", "one\ntwo\nthree\n");
  const sessionId = await scripted.open();

  const from = scripted.heard.length;
  await scripted.prompt(sessionId, "Tell me\nall of it").catch(() => {});
  const live = scripted.heardOf(sessionId).slice(from);
  const replayed = await reload(scripted, sessionId);

  expect(seenBy(replayed)).toEqual(seenBy(live));
  expect(only(replayed, "user_message_chunk")).toEqual([
    { sessionUpdate: "user_message_chunk", messageId: "msg_1", content: { type: "text", text: "Tell me\nall of it" } },
  ]);
});

test("a turn that was cancelled while a call ran (C-225)", async () => {
  await using scripted = await connectScripted({
    script: [[text("I run it."), call("run_shell_command", { command: "sleep 60" })], [stall()]],
    answer: "allow_once",
  });
  const sessionId = await scripted.open();
  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.heard.at(-1)?.update.sessionUpdate === "tool_call_update");
  void scripted.client.cancel(sessionId);
  await turn;

  const live = scripted.heardOf(sessionId).slice();

  expect(seenBy(await reload(scripted, sessionId)).items).toEqual(seenBy(live).items);
});

test("every kind of block the person sent", async () => {
  await using scripted = await connectScripted({ script: [[text("ok")]] });
  const sessionId = await scripted.open();
  const blocks = [
    { type: "text", text: "look" },
    { type: "resource_link", uri: "file:///a.txt", name: "a.txt", title: "A", mimeType: "text/plain" },
    { type: "image", data: "AAAA", mimeType: "image/png", uri: "file:///a.png" },
    { type: "resource", resource: { uri: "file:///b.txt", mimeType: "text/plain", text: "b" } },
    { type: "resource", resource: { uri: "file:///c.bin", blob: "AAAA" } },
  ] as const;

  await scripted.prompt(sessionId, blocks);
  const replayed = await reload(scripted, sessionId);

  expect(only(replayed, "user_message_chunk")).toEqual(
    blocks.map((content) => ({ sessionUpdate: "user_message_chunk", messageId: "msg_1", content })),
  );
});

test("notices belong to the moment, and are not told again (C-168, C-249)", async () => {
  await using scripted = await connectScripted({
    script: [[notice("Trying again."), text("ok")]],
    capabilities: { session: { notices: {} } },
  });
  const sessionId = await scripted.open();

  const { updates } = await scripted.prompt(sessionId, "go");
  const replayed = await reload(scripted, sessionId);

  expect(only(updates, "notice")).toEqual([{ sessionUpdate: "notice", severity: "warning", title: "Trying again." }]);
  expect(only(replayed, "notice", "agent_thought_chunk")).toEqual([]);
});

test("a command that ran in the client's terminal is replayed as text: the terminal is gone", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: "touch x" })], [text("ok")]],
    answer: "allow_once",
    handlers: {
      createTerminal: () => ({ terminalId: "term_1" }),
      terminalOutput: () => ({ output: "made x\n", truncated: false, exitStatus: { exitCode: 0 } }),
      waitForTerminalExit: () => ({ exitCode: 0 }),
      killTerminal: () => ({}),
      releaseTerminal: () => ({}),
    },
  });
  const sessionId = await scripted.open();

  await scripted.prompt(sessionId, "go");
  const replayed = await reload(scripted, sessionId);

  expect(JSON.stringify(replayed)).not.toContain("term_1");
  expect(JSON.stringify(replayed)).toContain("made x");
});

test("mode, model, plan and title are as they were (D3)", async () => {
  await using scripted = await connectScripted({ script: [[call("todo_write", plan)], [text("ok")], [text("ok")]] });
  const { client, cwd } = scripted;
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "Name me");
  await client.setMode(sessionId, "plan");

  await client.closeSession(sessionId);
  const { modes, configOptions } = await client.loadSession({ sessionId, cwd });
  await scripted.prompt(sessionId, "Another name");

  expect(modes?.currentModeId).toBe("plan");
  expect(configOptions?.map((option) => [option.id, option.currentValue])).toEqual([
    ["mode", "plan"],
    ["model", "scripted/script"],
  ]);
  expect(JSON.stringify(scripted.model.asked.at(-1)?.messages.at(-1)?.parts)).toContain(
    "Your plan so far:\\n- [x] Look\\n- [ ] Write",
  );
  expect((await client.listSessions()).sessions.map(({ title }) => title)).toEqual(["Name me"]);
});

test("an id that is open is refused, and one nobody knows is not found (C-170, Z-08)", async () => {
  await using scripted = await connectScripted({ script: [[text("fine")]] });
  const { client, cwd } = scripted;
  const sessionId = await scripted.open();

  expect(await errorOf(client.loadSession({ sessionId, cwd }))).toEqual({
    code: -32600,
    message: "session/load: sessionId 'sess_1' is already active; cancel and tear it down before reloading",
  });
  for (const unknown of ["sess_unknown", "../sess_1", ""]) {
    expect(await errorOf(client.loadSession({ sessionId: unknown, cwd }))).toEqual({
      code: -32002,
      message: `Session not found: ${unknown}`,
      data: { sessionId: unknown },
    });
  }
  expect(await scripted.prompt(sessionId, "go")).toMatchObject({ text: "fine" });
});

test("an unknown id with a history is imported, replayed, then answered, and goes on from there (Z-08, Z-09)", async () => {
  await using scripted = await connectScripted({ script: [[text("Green.")]] });
  const { client, cwd } = scripted;
  const history = [
    { role: "user", content: "What is my colour?" },
    { role: "assistant", content: [{ type: "text", text: "Blue." }] },
  ];

  await client.extRequest("session/load", { sessionId: "their-7", cwd, history });
  const replayed = scripted.heardOf("their-7").slice();
  await scripted.prompt("their-7", "And now?");

  expect(seenBy(replayed).items).toEqual([
    { type: "message", from: "agent", messageId: "msg_imported2", content: [{ type: "text", text: "Blue." }] },
  ]);
  expect(only(replayed, "user_message_chunk").map(({ content }) => content)).toEqual([
    { type: "text", text: "What is my colour?" },
  ]);
  expect(messagesOf(scripted.model.asked[0]).map(({ parts }) => parts)).toEqual([
    [{ type: "text", text: "What is my colour?" }],
    [{ type: "text", text: "Blue." }],
    [{ type: "text", text: "And now?" }],
  ]);
});

test("an imported session keeps the name of its first prompt", async () => {
  await using scripted = await connectScripted({ script: [[text("Green.")]] });
  const { client, cwd } = scripted;
  const history = [{ role: "user", content: "What is my colour?" }];
  await client.extRequest("session/load", { sessionId: "their-7", cwd, history });

  await scripted.prompt("their-7", "And now?");

  expect((await client.listSessions()).sessions.map(({ title }) => title)).toEqual(["What is my colour?"]);
});
