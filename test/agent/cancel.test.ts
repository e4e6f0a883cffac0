// Cancel ends a turn at any moment, whatever the other side does. Where a test waits for something that never happens,
// it ends only because of the cancel.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, reasoning, stall, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { errorOf, messagesOf, only } from "./seen.ts";

const never = new Promise<never>(() => {});

/** Sends a prompt, cancels when the condition holds, and answers how the turn ended and how long the cancel took. */
async function cancelWhen(scripted: Scripted, sessionId: string, condition: () => boolean) {
  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(condition);
  const began = performance.now();
  void scripted.client.cancel(sessionId);
  const seen = await turn;
  return { ...seen, tookMs: performance.now() - began };
}

test("0 ms after the prompt (C-210)", async () => {
  await using scripted = await connectScripted({ script: [[text("too late")], [text("next")]] });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  void scripted.client.cancel(sessionId);

  expect(await turn).toMatchObject({ stopReason: "cancelled", text: "" });
  expect(scripted.model.asked).toEqual([]);
  expect(await scripted.prompt(sessionId, "again")).toMatchObject({ stopReason: "end_turn", text: "too late" });
});

test("during a model stream that stalls; the next prompt is told that the turn was cancelled (C-210, C-211)", async () => {
  await using scripted = await connectScripted({ script: [[text("half an ans"), stall()], [text("whole")]] });
  const sessionId = await scripted.open();

  const seen = await cancelWhen(
    scripted,
    sessionId,
    () =>
      only(
        scripted.heard.map(({ update }) => update),
        "agent_message_chunk",
      ).length === 3,
  );
  const next = await scripted.prompt(sessionId, "again");

  expect(seen).toMatchObject({ stopReason: "cancelled", text: "half an ans" });
  expect(seen.tookMs).toBeLessThan(1_000);
  expect(next).toMatchObject({ stopReason: "end_turn", text: "whole" });
  expect(messagesOf(scripted.model.asked[1])).toEqual([
    { role: "user", id: "msg_1", parts: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      id: "msg_2",
      parts: [
        { type: "text", text: "half an ans" },
        { type: "text", text: "\n\n[Cancelled by the user before this turn was finished.]" },
      ],
    },
    { role: "user", id: "msg_3", parts: [{ type: "text", text: "again" }] },
  ]);
});

test("while the model only thinks (C-210)", async () => {
  await using scripted = await connectScripted({ script: [[reasoning("hm"), stall()]] });
  const sessionId = await scripted.open();

  const seen = await cancelWhen(
    scripted,
    sessionId,
    () => scripted.heard.at(-1)?.update.sessionUpdate === "agent_thought_chunk",
  );

  expect(seen.stopReason).toBe("cancelled");
});

test("during a shell command that ignores TERM, and its processes are gone (C-217, C-225)", async () => {
  const command = `trap "" TERM; echo $$ > pid; echo ready; sleep 60; sleep 60`;
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command })], [text("next")]],
    answer: "allow_once",
  });
  const sessionId = await scripted.open();

  const isReady = () =>
    scripted.heard.at(-1)?.update.sessionUpdate === "tool_call_update" &&
    JSON.stringify(scripted.heard.at(-1)).includes("ready");
  const seen = await cancelWhen(scripted, sessionId, isReady);
  const next = await scripted.prompt(sessionId, "again");
  const pid = (await readFile(join(scripted.cwd, "pid"), "utf8")).trim();

  expect(seen.stopReason).toBe("cancelled");
  expect(seen.tookMs).toBeLessThan(1_000);
  expect(only(seen.updates, "tool_call_update").at(-1)).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: "call_1",
    status: "failed",
    rawOutput: "Cancelled while it ran. It may have had a part of its effect.",
    content: [
      {
        type: "content",
        content: { type: "text", text: "Cancelled while it ran. It may have had a part of its effect." },
      },
    ],
  });
  expect(next).toMatchObject({ stopReason: "end_turn", text: "next" });
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

test("during a permission question, which is withdrawn (C-214, C-215, C-225)", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: "touch made" })], [text("next")]],
    handlers: { requestPermission: () => never },
  });
  const sessionId = await scripted.open();

  const seen = await cancelWhen(scripted, sessionId, () => scripted.asked.length === 1);

  expect(seen.stopReason).toBe("cancelled");
  expect(only(seen.updates, "tool_call_update")).toEqual([
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: "failed",
      rawOutput: "Not run: the turn was cancelled.",
      content: [{ type: "content", content: { type: "text", text: "Not run: the turn was cancelled." } }],
    },
  ]);
  expect(existsSync(join(scripted.cwd, "made"))).toBe(false);
  expect(await scripted.prompt(sessionId, "again")).toMatchObject({ stopReason: "end_turn", text: "next" });
});

test("during a permission question, of a client that answers nothing at all, not even after the cancel", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: "touch made" })]],
    handlers: { requestPermission: () => never },
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.asked.length === 1);
  // Not through `client.cancel`, which would answer the question.
  void scripted.client.extNotify("session/cancel", { sessionId });

  expect((await turn).stopReason).toBe("cancelled");
  expect(scripted.calls).toEqual(["session/request_permission", "$/cancel_request"]);
});

test.each([
  ["read_file", { file_path: "a.txt" }],
  ["write_file", { file_path: "a.txt", content: "x" }],
])("during a file request of %s that the client never answers (C-214)", async (tool, input) => {
  await using scripted = await connectScripted({
    script: [[call(tool, input)], [text("next")]],
    handlers: { readTextFile: () => never, writeTextFile: () => never },
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.calls.includes("fs/read_text_file"));
  void scripted.client.cancel(sessionId);

  expect((await turn).stopReason).toBe("cancelled");
  expect(await scripted.prompt(sessionId, "again")).toMatchObject({ stopReason: "end_turn", text: "next" });
});

test("of an idle or unknown session is silent (C-213, Z-06)", async () => {
  await using scripted = await connectScripted({ script: [[text("fine")]] });
  const sessionId = await scripted.open();
  const before = scripted.wire.filter(({ from }) => from === "agent").length;

  void scripted.client.extNotify("session/cancel", { sessionId, _meta: {}, reason: "user" });
  void scripted.client.extNotify("session/cancel", { sessionId: "sess_unknown" });
  void scripted.client.extNotify("session/cancel", {});
  await scripted.client.listSessions();

  expect(scripted.wire.filter(({ from }) => from === "agent").length).toBe(before + 1);
  expect(await scripted.prompt(sessionId, "go")).toMatchObject({ stopReason: "end_turn", text: "fine" });
});

test("as a request is answered, and is an error only for a session nobody knows (Z-06)", async () => {
  await using scripted = await connectScripted({ script: [[stall()]] });
  const { client } = scripted;
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  const answer = await client.extRequest("session/cancel", { sessionId });

  expect(answer).toEqual({});
  expect((await turn).stopReason).toBe("cancelled");
  expect(await client.extRequest("session/cancel", { sessionId })).toEqual({});
  expect(await errorOf(client.extRequest("session/cancel", { sessionId: "sess_unknown" }))).toEqual({
    code: -32600,
    message: "unknown sessionId: sess_unknown",
  });
});

test("by $/cancel_request on the prompt ends the turn, too (C-216)", async () => {
  await using scripted = await connectScripted({ script: [[stall()]] });
  const sessionId = await scripted.open();
  const controller = new AbortController();

  const prompt = [{ type: "text" as const, text: "go" }];
  const turn = scripted.client.request("prompt", { sessionId, prompt }, { signal: controller.signal, onAbort: "wait" });
  await scripted.until(() => scripted.heard.at(-1)?.update.sessionUpdate === "session_info_update");
  controller.abort();

  expect(await turn).toMatchObject({ stopReason: "cancelled" });
});

test("ends the turn of that session only (C-203)", async () => {
  await using scripted = await connectScripted({
    script: [[stall()], [text("a"), call("ask_user", { question: "Well?" })], [text("b")]],
    handlers: {
      extRequests: {
        "_agentao.cn/ask_user": async () => {
          void scripted.client.cancel(first);
          await stopped;
          return { answer: "yes" };
        },
      },
    },
  });
  const first = await scripted.open();
  const second = await scripted.open();

  const stopped = scripted.prompt(first, "one");
  const going = scripted.prompt(second, "two");

  expect((await stopped).stopReason).toBe("cancelled");
  expect(await going).toMatchObject({ stopReason: "end_turn", text: "ab" });
});
