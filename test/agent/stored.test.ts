// Sessions that come back: in another folder, forked, after a crash, twice at once.

import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@agentao/agent";
import { expect, test } from "vitest";
import { call, type Script, stall, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, countingIds, type Scripted } from "./connect-scripted.ts";
import { errorOf, messagesOf, only } from "./seen.ts";

test("a fork goes on from what was said, and leaves its source as it was", async () => {
  await using scripted = await connectScripted({ script: [[text("one")], [text("two")], [text("three")]] });
  const { client, cwd } = scripted;
  const source = await scripted.open();
  await scripted.prompt(source, "first");

  const { sessionId: fork, modes } = await client.request("forkSession", { sessionId: source, cwd });
  await scripted.prompt(fork, "in the fork");
  await scripted.prompt(source, "in the source");

  expect(fork).toBe("sess_2");
  expect(modes?.currentModeId).toBe("workspace-write");
  expect(scripted.model.asked.slice(1).map((request) => messagesOf(request).map(({ parts }) => parts[0]))).toEqual([
    ["first", "one", "in the fork"].map((said) => ({ type: "text", text: said })),
    ["first", "one", "in the source"].map((said) => ({ type: "text", text: said })),
  ]);
  expect((await client.listSessions()).sessions.map(({ sessionId, title }) => [sessionId, title])).toEqual([
    [source, "first"],
    [fork, "first"],
  ]);
});

test("a fork of a session nobody knows is not found", async () => {
  await using scripted = await connectScripted();
  const { client, cwd } = scripted;

  expect(await errorOf(client.request("forkSession", { sessionId: "sess_9", cwd }))).toEqual({
    code: -32002,
    message: "Session not found: sess_9",
    data: { sessionId: "sess_9" },
  });
});

test("a fork into a folder that does not exist leaves nothing behind", async () => {
  await using scripted = await connectScripted({ script: [[text("one")]] });
  const { client } = scripted;
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "first");

  const refused = await errorOf(client.request("forkSession", { sessionId, cwd: "/no/such/folder" }));

  expect(refused.code).toBe(-32602);
  expect((await client.listSessions()).sessions.map((session) => session.sessionId)).toEqual([sessionId]);
});

test("a session that is loaded elsewhere works there (C-147, C-156)", async () => {
  const write = call("write_file", { file_path: "x.txt", content: "x" });
  await using scripted = await connectScripted({ script: [[text("one")], [write], [text("two")]] });
  const { client } = scripted;
  const [old, other] = [await scripted.folder("old"), await scripted.folder("other")];
  const sessionId = await scripted.open({ additionalDirectories: [old] });
  await scripted.prompt(sessionId, "first");
  await client.closeSession(sessionId);

  await client.loadSession({ sessionId, cwd: other });
  const { updates } = await scripted.prompt(sessionId, "second");

  expect(only(updates, "tool_call")[0]?.locations).toEqual([{ path: join(other, "x.txt") }]);
  expect(scripted.model.asked[1]?.system).not.toContain(old);
});

test("a session that was loaded elsewhere is listed there (C-176, C-183)", async () => {
  await using scripted = await connectScripted({ script: [[text("one")], [text("two")]] });
  const { client, cwd } = scripted;
  const other = await scripted.folder("other");
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "first");
  await client.closeSession(sessionId);

  await client.loadSession({ sessionId, cwd: other });
  await scripted.prompt(sessionId, "second");

  expect((await client.listSessions({ cwd: other })).sessions.map((session) => session.sessionId)).toEqual([sessionId]);
  expect((await client.listSessions({ cwd })).sessions).toEqual([]);
});

test("two loads of one id at once: one is answered, one is refused as active (Z-08)", async () => {
  await using scripted = await connectScripted({ script: [[text("one")]] });
  const { client, cwd } = scripted;
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "first");
  await client.closeSession(sessionId);

  const answers = await Promise.allSettled([
    client.loadSession({ sessionId, cwd }),
    client.loadSession({ sessionId, cwd }),
  ]);

  expect(answers.map((answer) => (answer.status === "fulfilled" ? 0 : answer.reason.code)).sort()).toEqual([-32600, 0]);
});

test("a session that another agent has open is refused with a clear error", async () => {
  await using first = await connectScripted({ script: [[text("one")]] });
  const sessionId = await first.open();
  await first.prompt(sessionId, "first");
  await using second = await connectScripted({ store: first.store, ids: countingIds("b") });

  const refused = await errorOf(second.client.loadSession({ sessionId, cwd: second.cwd }));

  expect(refused).toEqual({
    code: -32603,
    message: `Session ${sessionId} is already open in this agentao (process ${process.pid}). Close it there first.`,
    data: { kind: "journal", retryable: false },
  });
});

/** Another agent, in front of what the first has written so far: as if the first had been killed. */
async function afterCrash(folder: string, script: Script): Promise<Scripted> {
  const left = join(folder, "left");
  await mkdir(left);
  for (const name of await readdir(folder)) {
    if (name.endsWith(".jsonl")) await cp(join(folder, name), join(left, name));
  }
  return connectScripted({ script, store: openStore({ folder: left }), ids: countingIds("b") });
}

/** An agent whose shell command runs. */
async function connectRunning(folder: string): Promise<Scripted> {
  const first = await connectScripted({
    script: [[text("I run."), call("run_shell_command", { command: "sleep 60" })]],
    answer: "allow_once",
    store: openStore({ folder }),
  });
  void first.prompt(await first.open(), "go").catch(() => {});
  await first.until(() => first.heard.at(-1)?.update.sessionUpdate === "tool_call_update");
  return first;
}

test("after a crash, the model is told to check what a call has done", async () => {
  await using place = await connectScripted();
  const folder = await place.folder("sessions");
  await using first = await connectRunning(folder);
  await using second = await afterCrash(folder, [[text("Back.")]]);
  await second.client.resumeSession({ sessionId: "sess_1", cwd: first.cwd });

  await second.prompt("sess_1", "what happened?");

  expect(
    messagesOf(second.model.asked[0])
      .slice(1)
      .map(({ parts }) => parts.at(-1)),
  ).toEqual([
    { type: "call", callId: "call_1", name: "run_shell_command", input: '{"command":"sleep 60"}' },
    {
      type: "text",
      text: "The process was interrupted while this ran; it may or may not have had its effect. Check before doing it again.",
    },
    { type: "text", text: "[Interrupted: the process ended before this turn was finished.]" },
    { type: "text", text: "what happened?" },
  ]);
});

test("after a crash, a call that ran is replayed as failed (C-225)", async () => {
  await using place = await connectScripted();
  const folder = await place.folder("sessions");
  await using first = await connectRunning(folder);
  await using second = await afterCrash(folder, []);

  await second.client.loadSession({ sessionId: "sess_1", cwd: first.cwd });

  expect(only(second.heardOf("sess_1"), "tool_call_update").at(-1)?.status).toBe("failed");
});

test("after a crash, what was said is there", async () => {
  await using place = await connectScripted();
  const folder = await place.folder("sessions");
  await using first = await connectScripted({ script: [[text("whole")], [stall()]], store: openStore({ folder }) });
  const sessionId = await first.open();
  await first.prompt(sessionId, "go");
  await using second = await afterCrash(folder, []);

  await second.client.loadSession({ sessionId, cwd: first.cwd });

  expect(only(second.heardOf(sessionId), "agent_message_chunk").map(({ content }) => content)).toEqual([
    { type: "text", text: "whole" },
  ]);
});

test("--resume: the first new session is the newest of its folder, replayed, the second is new (Z-19)", async () => {
  await using first = await connectScripted({ script: [[text("one")]] });
  const sessionId = await first.open();
  await first.prompt(sessionId, "first");
  await first.client.closeSession(sessionId);
  await using second = await connectScripted({ store: first.store, ids: countingIds("b"), serve: { resume: {} } });

  const { sessionId: resumed } = await second.client.newSession({ cwd: first.cwd });
  const replayed = only(second.heardOf(resumed), "user_message_chunk", "agent_message_chunk");
  const { sessionId: fresh } = await second.client.newSession({ cwd: first.cwd });

  expect([resumed, fresh]).toEqual([sessionId, "sess_b1"]);
  expect(replayed.map(({ content }) => content)).toEqual([
    { type: "text", text: "first" },
    { type: "text", text: "one" },
  ]);
});

test("--resume with an id nobody knows gives a fresh session (Z-19)", async () => {
  await using scripted = await connectScripted({ serve: { resume: { id: "sess_9" } } });

  expect(await scripted.open()).toBe("sess_1");
});
