// A prompt: what the model is told of it, and what is answered without the model.

import type { ContentBlock } from "@agentao/acp";
import { scriptedModel } from "@agentao/agent";
import { expect, test } from "vitest";
import { promptContent } from "../../packages/agent/src/message/prompt-content.ts";
import { call, stall, text, usage } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted } from "./connect-scripted.ts";
import { errorOf, messagesOf, only, textOf } from "./seen.ts";

/** The last thing the person said, as models read it. */
function readBy({ model }: Scripted) {
  const said = messagesOf(model.asked.at(-1)).findLast(({ role }) => role === "user");
  return said?.role === "user" ? promptContent(said.parts) : [];
}

const prompts: readonly (readonly [string, readonly ContentBlock[], unknown])[] = [
  [
    "texts are joined by a blank line",
    [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
    [{ type: "text", text: "one\n\ntwo" }],
  ],
  [
    "a link is a link, by its title, else its name",
    [
      { type: "resource_link", uri: "file:///a", name: "a", title: "A" },
      { type: "resource_link", uri: "file:///b", name: "b" },
    ],
    [{ type: "text", text: "[Resource: A](file:///a)\n\n[Resource: b](file:///b)" }],
  ],
  [
    "an embedded file comes with its name and its text",
    [{ type: "resource", resource: { uri: "file:///a", text: "```\nx\n```" } }],
    [{ type: "text", text: "[Resource: file:///a](file:///a)\n````\n```\nx\n```\n````" }],
  ],
  [
    "an embedded image is an image, other bytes are named",
    [
      { type: "resource", resource: { uri: "file:///a.png", mimeType: "image/png", blob: "AAAA" } },
      { type: "resource", resource: { uri: "file:///a.bin", blob: "AAAA" } },
    ],
    [
      { type: "image", data: "AAAA", mimeType: "image/png", uri: "file:///a.png" },
      { type: "text", text: "[Resource: file:///a.bin](file:///a.bin) (binary, not shown)" },
    ],
  ],
  [
    "an image stays between the texts around it",
    [
      { type: "text", text: "before" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: "after" },
    ],
    [
      { type: "text", text: "before" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: "after" },
    ],
  ],
];

test.each(prompts)("%s (C-190, C-191)", async (_, blocks, content) => {
  await using scripted = await connectScripted({ script: [[text("ok")]] });

  await scripted.prompt(await scripted.open(), blocks);

  expect(readBy(scripted)).toEqual(content);
});

test("a link without title and name is called by its uri", async () => {
  await using scripted = await connectScripted({ script: [[text("ok")]] });

  await scripted.prompt(await scripted.open(), [{ type: "resource_link", uri: "file:///a", name: "" }]);

  expect(readBy(scripted)).toEqual([{ type: "text", text: "[Resource: file:///a](file:///a)" }]);
});

test.each<readonly [string, readonly unknown[]]>([
  ["sound, which is not advertised", [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }]],
  ["an empty prompt", []],
  ["a block of an unknown type", [{ type: "smell", text: "x" }]],
  ["a block without its text", [{ type: "text" }]],
])("%s is refused with -32602 (C-191)", async (_, prompt) => {
  await using scripted = await connectScripted();
  const sessionId = await scripted.open();

  expect(await errorOf(scripted.client.extRequest("session/prompt", { sessionId, prompt }))).toMatchObject({
    code: -32602,
  });
  expect(scripted.model.asked).toEqual([]);
});

test("an image for a model that takes none is refused with -32602 (C-191)", async () => {
  const blind = scriptedModel([[text("I see nothing.")]], { info: { takes: { image: false, audio: false } } });
  await using scripted = await connectScripted({ models: [blind] });
  const sessionId = await scripted.open();

  const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };

  expect(await errorOf(scripted.prompt(sessionId, [image]))).toMatchObject({ code: -32602 });
});

test("an unknown session is not found", async () => {
  await using scripted = await connectScripted();

  expect(await errorOf(scripted.prompt("sess_9", "go"))).toEqual({
    code: -32002,
    message: "Session not found: sess_9",
    data: { sessionId: "sess_9" },
  });
});

test("tells the tokens of the last request, and what the session has cost (C-199)", async () => {
  const spent = (inputTokens: number) => usage({ inputTokens, outputTokens: 10, cost: 0.5 });
  await using scripted = await connectScripted({
    script: [
      [spent(100), call("list_directory")],
      [spent(200), text("ok")],
    ],
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(only(updates, "usage_update")).toEqual([
    { sessionUpdate: "usage_update", used: 110, size: 200_000, cost: { amount: 0.5, currency: "USD" } },
    { sessionUpdate: "usage_update", used: 210, size: 200_000, cost: { amount: 1, currency: "USD" } },
  ]);
});

test("a second prompt on a busy session is refused, and the first is not disturbed (C-202, Z-07)", async () => {
  await using scripted = await connectScripted({ script: [[text("on"), stall()]] });
  const sessionId = await scripted.open();

  const first = scripted.prompt(sessionId, "one");
  const second = await errorOf(scripted.prompt(sessionId, "two"));
  await scripted.until(() => textOf(scripted.heardOf(sessionId)) === "on");
  void scripted.client.cancel(sessionId);

  expect(second).toEqual({ code: -32600, message: "session sess_1 already has an active turn" });
  expect(await first).toMatchObject({ stopReason: "cancelled", text: "on" });
  expect(scripted.model.asked).toHaveLength(1);
});

test.each([
  ["/help", "Ask for anything in plain words. Commands:"],
  ["/mode", "Mode: workspace-write."],
  ["/mode plan", "Mode: plan."],
  ["/mode upside-down", 'There is no mode "upside-down".'],
  ["/model", "Model: scripted/script."],
  ["/model other", 'The model "other" is not known.'],
  ["/context", "Nothing has been sent to the model yet."],
])("%s is answered without the model", async (prompt, answer) => {
  await using scripted = await connectScripted();

  const seen = await scripted.prompt(await scripted.open(), prompt);

  expect(seen.stopReason).toBe("end_turn");
  expect(seen.text.startsWith(answer)).toBe(true);
  expect(scripted.model.asked).toEqual([]);
});

test("what begins with a slash and is no command goes to the model", async () => {
  await using scripted = await connectScripted({ script: [[text("a path")]] });

  expect((await scripted.prompt(await scripted.open(), "/etc/hosts")).text).toBe("a path");
});
