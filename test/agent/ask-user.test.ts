// A question of the model reaches the person, or the model is told that it did not. No answer is invented.

import { RpcError } from "@agentao/acp";
import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted, type Scripted, type ScriptedSetup } from "./connect-scripted.ts";

const ASK_USER = "_agentao.cn/ask_user";
const ANSWERED = "The user answered: blue";
const DECLINED = "The user declined to answer. Go on without an answer, or stop and say what you need.";
const UNAVAILABLE =
  "[ask_user: not available in non-interactive mode] Nobody can answer here. Do not assume an answer: choose the safest way and say so, or stop and say what you need.";

const script = [
  [call("ask_user", { question: "Which colour?", header: "Colour", options: ["red", "blue"] })],
  [text("ok")],
];

function toldOf({ model }: Scripted) {
  const last = model.asked[1]?.messages.at(-1);
  return last?.role === "result" && last.parts[0]?.type === "text" ? [last.failed, last.parts[0].text] : undefined;
}

async function told(setup: ScriptedSetup) {
  await using scripted = await connectScripted({ script, ...setup });
  const { stopReason } = await scripted.prompt(await scripted.open(), "go");
  expect(stopReason).toBe("end_turn");
  return toldOf(scripted);
}

test.each<readonly [unknown, boolean, string]>([
  [{ answer: "blue" }, false, ANSWERED],
  [{ outcome: "answered", text: "blue" }, false, ANSWERED],
  [{ outcome: "cancelled" }, false, DECLINED],
  [{ outcome: "cancelled", answer: "blue" }, false, DECLINED],
  [{ answer: "(user unavailable)" }, true, UNAVAILABLE],
  [{ answer: 7 }, true, UNAVAILABLE],
  [{}, true, UNAVAILABLE],
  [null, true, UNAVAILABLE],
])("the vendor method answered by %j (Z-12)", async (answer, failed, words) => {
  expect(await told({ handlers: { extRequests: { [ASK_USER]: () => answer } } })).toEqual([failed, words]);
});

test("a client that knows no questions: the model is told so (Z-12)", async () => {
  expect(await told({})).toEqual([true, UNAVAILABLE]);
});

test("asks the vendor method with session and question (Z-12)", async () => {
  const asked: unknown[] = [];
  await using scripted = await connectScripted({
    script,
    handlers: {
      extRequests: {
        [ASK_USER]: (params) => {
          asked.push(params);
          return { answer: "blue" };
        },
      },
    },
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(asked).toEqual([
    {
      sessionId: "sess_1",
      question: "Which colour?",
      header: "Colour",
      options: ["red", "blue"],
      multiple: false,
      allowCustom: true,
    },
  ]);
});

test("asks by a form where the client has forms (C-249a, C-249b, C-249c)", async () => {
  const asked: unknown[] = [];
  await using scripted = await connectScripted({
    script,
    handlers: {
      createElicitation: (params) => {
        asked.push(params);
        return { action: "accept", content: { answer: "blue" } };
      },
    },
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(asked).toEqual([
    {
      mode: "form",
      sessionId: "sess_1",
      message: "Which colour?",
      requestedSchema: {
        type: "object",
        properties: {
          answer: { type: "string", title: "Colour", enum: ["red", "blue"] },
          other: { type: "string", title: "Something else" },
        },
        required: [],
      },
    },
  ]);
  expect(toldOf(scripted)).toEqual([false, ANSWERED]);
  expect(scripted.calls).toEqual(["elicitation/create"]);
});

test.each<readonly [string, unknown, boolean, string]>([
  ["in own words", { action: "accept", content: { other: "blue" } }, false, ANSWERED],
  ["decline", { action: "decline" }, false, DECLINED],
  ["cancel", { action: "cancel" }, false, DECLINED],
  ["nothing filled in", { action: "accept", content: {} }, false, DECLINED],
  ["an action nobody knows", { action: "shrug", content: { answer: "blue" } }, false, DECLINED],
  ["null", null, true, UNAVAILABLE],
])("a form answered by %s (C-249e)", async (_, answer, failed, words) => {
  expect(await told({ handlers: { createElicitation: () => answer as never } })).toEqual([failed, words]);
});

test("a form that ends in an error: the model is told that nobody answers (C-249e)", async () => {
  const createElicitation = () => Promise.reject(RpcError.internal("no window"));

  expect(await told({ handlers: { createElicitation } })).toEqual([true, UNAVAILABLE]);
});

test("an answer that was not among the options is not taken where own words are not allowed (C-249j)", async () => {
  const closed = [[call("ask_user", { question: "?", options: ["red", "blue"], allow_custom: false })], [text("ok")]];
  const createElicitation = () => ({ action: "accept" as const, content: { answer: "green", other: "pink" } });

  expect(await told({ script: closed, handlers: { createElicitation } })).not.toEqual([
    false,
    "The user answered: green, pink",
  ]);
});

test("{} advertises no form (C-249a)", async () => {
  await using scripted = await connectScripted({ script, capabilities: { elicitation: {} } });

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.calls).toEqual([ASK_USER]);
});

test("a question is withdrawn when the turn is cancelled (C-214)", async () => {
  await using scripted = await connectScripted({
    script,
    handlers: { extRequests: { [ASK_USER]: () => new Promise(() => {}) } },
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  await scripted.until(() => scripted.calls.includes(ASK_USER));
  void scripted.client.cancel(sessionId);

  expect((await turn).stopReason).toBe("cancelled");
  expect(scripted.calls).toEqual([ASK_USER, "$/cancel_request"]);
});
