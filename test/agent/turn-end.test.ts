// How turns end: stop reasons, and failures that are told.

import { expect, test } from "vitest";
import { call, cut, fail, finish, type Script, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";
import { errorOf, messagesOf, only } from "./seen.ts";

test.each<readonly [string, Script]>([
  ["end_turn", [[text("done")]]],
  ["end_turn", [[call("list_directory")], [text("done")]]],
  ["max_tokens", [[text("and then"), finish("length")]]],
  ["refusal", [[text("I will not."), finish("refusal")]]],
  [
    "max_turn_requests",
    [[call("list_directory")], [call("list_directory", { recursive: true })], [text("never said")]],
  ],
])("ends with %s (C-192, C-193, C-194, C-200)", async (stopReason, script) => {
  await using scripted = await connectScripted({ script, runtime: { maxSteps: 2 } });

  expect((await scripted.prompt(await scripted.open(), "go")).stopReason).toBe(stopReason);
});

test("calls of an answer that was refused are not carried out", async () => {
  await using scripted = await connectScripted({
    script: [[call("write_file", { file_path: "x", content: "x" }), finish("refusal")], [text("on")]],
  });

  const seen = await scripted.prompt(await scripted.open(), "go");

  expect(seen.stopReason).toBe("refusal");
  expect(only(seen.updates, "tool_call")).toEqual([]);
});

test("a refused prompt, and its answer, are not told to the model again", async () => {
  await using scripted = await connectScripted({ script: [[text("No."), finish("refusal")], [text("Yes.")]] });
  const sessionId = await scripted.open();
  await scripted.prompt(sessionId, "bad");

  await scripted.prompt(sessionId, "good");

  expect(messagesOf(scripted.model.asked[1]).map(({ parts }) => parts)).toEqual([[{ type: "text", text: "good" }]]);
});

test("a failed turn is an error that says what happened, and a visible chunk (C-201)", async () => {
  const script = [
    [text("I be"), fail("rate-limit", "The provider wants a pause.", { retryAfterMs: 2_000 })],
    [text("ok")],
  ];
  await using scripted = await connectScripted({ script });
  const sessionId = await scripted.open();

  const error = await errorOf(scripted.prompt(sessionId, "go"));
  const next = await scripted.prompt(sessionId, "again");

  expect(error).toEqual({
    code: -32603,
    message: "The provider wants a pause.",
    data: { kind: "rate-limit", retryable: true, retryAfterMs: 2_000 },
  });
  expect(only(scripted.heardOf(sessionId), "agent_message_chunk").slice(0, 3)).toEqual([
    { sessionUpdate: "agent_message_chunk", messageId: "msg_2", content: { type: "text", text: "I " } },
    { sessionUpdate: "agent_message_chunk", messageId: "msg_2", content: { type: "text", text: "be" } },
    {
      sessionUpdate: "agent_message_chunk",
      messageId: "turn_1_error",
      content: { type: "text", text: "Error: The provider wants a pause." },
    },
  ]);
  expect(next).toMatchObject({ stopReason: "end_turn", text: "ok" });
});

test("a provider that wants credentials is -32000", async () => {
  await using scripted = await connectScripted({ script: [[fail("auth", "The key was refused.")]] });

  expect(await errorOf(scripted.prompt(await scripted.open(), "go"))).toEqual({
    code: -32000,
    message: "The key was refused.",
    data: { kind: "auth", retryable: false },
  });
});

test.each<readonly [string, Script, string]>([
  [
    "that ends without an end",
    [[cut()]],
    "The model answered nothing. Send the prompt again, or choose another model.",
  ],
  [
    "that breaks off",
    [[text("I"), cut()]],
    "The model's answer broke off before its end. Send the prompt again to go on.",
  ],
])("an answer %s is an error, no silent end_turn", async (_, script, message) => {
  await using scripted = await connectScripted({ script });

  expect(await errorOf(scripted.prompt(await scripted.open(), "go"))).toEqual({
    code: -32603,
    message,
    data: { kind: "model", retryable: true },
  });
});

test("an answer that says nothing at all is an error, no silent end_turn", async () => {
  await using scripted = await connectScripted({ script: [[finish("stop")]] });

  expect(await errorOf(scripted.prompt(await scripted.open(), "go"))).toMatchObject({ data: { kind: "model" } });
});
