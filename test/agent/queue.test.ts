// Prompts that wait: for their turn, where the client asked for that, and for what a cancelled turn left running.

import type { ModelRequest } from "@agentao/agent";
import { expect, test } from "vitest";
import { call, stall, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted, type ScriptedSetup } from "./connect-scripted.ts";
import { messagesOf } from "./seen.ts";
import { StubbornTool } from "./tools.ts";

async function connectQueueing(setup: ScriptedSetup): Promise<Scripted & { readonly sessionId: string }> {
  const scripted = await connectScripted({ ...setup, capabilities: { session: { configOptions: { boolean: {} } } } });
  const sessionId = await scripted.open();
  await scripted.client.setConfigOption(sessionId, "queue_prompts", true);
  return Object.assign(scripted, { sessionId });
}

function lastPrompt(request: ModelRequest): string {
  const part = messagesOf(request).findLast(({ role }) => role === "user")?.parts[0];
  return part?.type === "text" ? part.text : "";
}

test("two prompts are answered one after the other", async () => {
  await using scripted = await connectQueueing({ script: [[text("a")], [text("b")]] });
  const { sessionId } = scripted;

  const turns = await Promise.all([scripted.prompt(sessionId, "one"), scripted.prompt(sessionId, "two")]);

  expect(turns.map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn"]);
  expect(messagesOf(scripted.model.asked[1]).map(({ parts }) => parts[0])).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "a" },
    { type: "text", text: "two" },
  ]);
});

test("a prompt that comes while a queued one runs waits behind those that came before it", async () => {
  const stubborn = new StubbornTool();
  await using scripted = await connectQueueing({
    script: [1, 2, 3, 4].flatMap((at) => [[call("stubborn")], [text(`${at}`)]]),
    runtime: { tools: [stubborn.tool] },
  });
  const { sessionId } = scripted;

  const turns = [1, 2, 3].map((at) => scripted.prompt(sessionId, `${at}`));
  await stubborn.hasBegun(1);
  stubborn.release(0);
  await stubborn.hasBegun(2);
  turns.push(scripted.prompt(sessionId, "4"));
  stubborn.release(1);
  await turns[1];
  await stubborn.hasBegun(3);
  for (let at = 0; at < 5; at++) await scripted.client.listSessions();
  const begun = stubborn.begun;
  stubborn.release(2);
  await stubborn.hasBegun(4);
  stubborn.release(3);
  await Promise.all(turns);

  expect(begun).toBe(3);
  expect(scripted.model.asked.map(lastPrompt)).toEqual(["1", "1", "2", "2", "3", "3", "4", "4"]);
});

test("cancel ends the running turn and those that wait", async () => {
  await using scripted = await connectQueueing({ script: [[text("on"), stall()], [text("next")]] });
  const { sessionId } = scripted;

  const turns = ["one", "two"].map((prompt) => scripted.prompt(sessionId, prompt));
  await scripted.until(() => scripted.heard.at(-1)?.update.sessionUpdate === "agent_message_chunk");
  void scripted.client.cancel(sessionId);

  expect((await Promise.all(turns)).map(({ stopReason }) => stopReason)).toEqual(["cancelled", "cancelled"]);
  expect(await scripted.prompt(sessionId, "three")).toMatchObject({ stopReason: "end_turn", text: "next" });
});

test("$/cancel_request on a prompt that waits leaves the running one alone (C-216)", async () => {
  const stubborn = new StubbornTool();
  await using scripted = await connectQueueing({
    script: [[call("stubborn")], [text("done")]],
    runtime: { tools: [stubborn.tool] },
  });
  const { sessionId, client } = scripted;
  const controller = new AbortController();

  const first = scripted.prompt(sessionId, "one");
  await stubborn.hasBegun(1);
  const prompt = [{ type: "text" as const, text: "two" }];
  const second = client.request("prompt", { sessionId, prompt }, { signal: controller.signal, onAbort: "wait" });
  await client.listSessions();
  controller.abort();
  await client.listSessions();
  stubborn.release();

  expect((await Promise.all([first, second])).map(({ stopReason }) => stopReason)).toEqual(["end_turn", "cancelled"]);
});

test("closing the session ends the running turn and those that wait (C-173)", async () => {
  await using scripted = await connectQueueing({ script: [[stall()]] });
  const { sessionId, client } = scripted;

  const turns = ["one", "two"].map((prompt) => scripted.prompt(sessionId, prompt));
  await client.closeSession(sessionId);

  expect((await Promise.all(turns)).map(({ stopReason }) => stopReason)).toEqual(["cancelled", "cancelled"]);
});

async function connectLingering(stubborn: StubbornTool): Promise<{ scripted: Scripted; sessionId: string }> {
  const scripted = await connectScripted({
    script: [[call("stubborn")], [text("next")]],
    runtime: { tools: [stubborn.tool] },
  });
  const sessionId = await scripted.open();
  const turn = scripted.prompt(sessionId, "go");
  await stubborn.hasBegun(1);
  void scripted.client.cancel(sessionId);
  await turn;
  return { scripted, sessionId };
}

test("the next prompt waits for what a cancelled turn left running", async () => {
  const stubborn = new StubbornTool();
  const { scripted, sessionId } = await connectLingering(stubborn);
  await using _ = scripted;

  const turn = scripted.prompt(sessionId, "again");
  await scripted.client.listSessions();
  const asked = scripted.model.asked.length;
  stubborn.release();

  expect(await turn).toMatchObject({ stopReason: "end_turn", text: "next" });
  expect(asked).toBe(1);
});

test("a prompt that waits for what a cancelled turn left running is cancelled at once", async () => {
  const stubborn = new StubbornTool();
  const { scripted, sessionId } = await connectLingering(stubborn);
  await using _ = scripted;
  const late = setTimeout(() => stubborn.release(), 800);

  const turn = scripted.prompt(sessionId, "again");
  const began = performance.now();
  void scripted.client.cancel(sessionId);
  const { stopReason } = await turn;
  const tookMs = performance.now() - began;
  clearTimeout(late);
  stubborn.release();

  expect(stopReason).toBe("cancelled");
  expect(tookMs).toBeLessThan(500);
});
