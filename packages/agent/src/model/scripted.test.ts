import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fault } from "../fault/fault.ts";
import type { CallId, MessageId } from "../id/id.ts";
import type { Message } from "../message/message.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import {
  call,
  cut,
  delay,
  fail,
  finish,
  notice,
  reasoning,
  repeat,
  type Script,
  type Step,
  stall,
  text,
  usage,
  when,
} from "./script.ts";
import { type ScriptedOptions, scriptedModel } from "./scripted.ts";

const never = new AbortController().signal;
const atOnce = async (): Promise<void> => {};

const user = (said: string): Message => ({
  role: "user",
  id: "msg_1" as MessageId,
  parts: [{ type: "text", text: said }],
});
const result = (told: string): Message => ({
  role: "result",
  callId: "call_1" as CallId,
  name: "read_file",
  failed: false,
  parts: [{ type: "text", text: told }],
});
const asking = (...messages: Message[]): ModelRequest => ({ system: "", messages, tools: [] });

async function answer(model: Model, request: ModelRequest = asking(user("go on"))): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, never)) events.push(event);
  return events;
}

const playOnce = (steps: readonly Step[], options: ScriptedOptions = {}) =>
  answer(scriptedModel([steps], { delay: atOnce, ...options }), asking());

async function answerText(model: Model, request?: ModelRequest): Promise<string> {
  const events = await answer(model, request);
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}

const tokens = (inputTokens: number, outputTokens: number): ModelEvent => ({
  type: "usage",
  usage: { inputTokens, outputTokens },
});
const stop: ModelEvent = { type: "finish", reason: "stop" };

describe("a reply", () => {
  test("is told word by word, with calls, an estimate of tokens and a finish", async () => {
    const steps = [
      text("Let me see."),
      call("read_file", { file_path: "a.txt" }),
      call("glob", { pattern: "*" }, "mine"),
    ];
    expect(await playOnce(steps)).toEqual([
      { type: "text-delta", text: "Let " },
      { type: "text-delta", text: "me " },
      { type: "text-delta", text: "see." },
      { type: "call", id: "call_1", name: "read_file", input: '{"file_path":"a.txt"}' },
      { type: "call", id: "mine", name: "glob", input: '{"pattern":"*"}' },
      tokens(0, 15),
      { type: "finish", reason: "calls" },
    ]);
  });

  test("closes reasoning before it goes on with something else", async () => {
    const steps = [
      reasoning("Hm. "),
      delay(5),
      reasoning("Yes."),
      text("Hi"),
      reasoning("kept", { seal: 1 }),
      reasoning("open"),
    ];
    expect(await playOnce(steps, { chunk: "whole" })).toEqual([
      { type: "reasoning-delta", text: "Hm. " },
      { type: "reasoning-delta", text: "Yes." },
      { type: "reasoning-end" },
      { type: "text-delta", text: "Hi" },
      { type: "reasoning-delta", text: "kept" },
      { type: "reasoning-end", opaque: { seal: 1 } },
      { type: "reasoning-delta", text: "open" },
      { type: "reasoning-end" },
      tokens(0, 5),
      stop,
    ]);
  });

  test("takes usage and finish from the script where it has them, and ends there", async () => {
    const spent = { inputTokens: 7, outputTokens: 3, cachedTokens: 2 };
    expect(await playOnce([usage(spent), text("Half"), finish("length"), text("never said")])).toEqual([
      { type: "usage", usage: spent },
      { type: "text-delta", text: "Half" },
      { type: "finish", reason: "length" },
    ]);
  });

  test("ends with a fault, also from inside a repetition", async () => {
    const steps = [
      notice("Trying again."),
      repeat(3, text("a"), fail("rate-limit", "Slow down.", { retryAfterMs: 9 })),
    ];
    expect(await playOnce(steps)).toEqual([
      { type: "notice", message: "Trying again." },
      { type: "text-delta", text: "a" },
      { type: "failed", fault: fault("rate-limit", "Slow down.", { retryAfterMs: 9 }) },
    ]);
  });

  test("is cut off without a finish", async () => {
    expect(await playOnce([reasoning("So"), cut()])).toEqual([{ type: "reasoning-delta", text: "So" }]);
  });

  test("sends input as it is where it is text, so that it can be nonsense", async () => {
    expect((await playOnce([call("glob", '{"pattern":')]))[0]).toEqual({
      type: "call",
      id: "call_1",
      name: "glob",
      input: '{"pattern":',
    });
  });

  test("says 5,000 deltas", async () => {
    const events = await playOnce([repeat(5_000, text("word "))]);
    expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(5_000);
    expect(events.slice(-2)).toEqual([tokens(0, 6_250), stop]);
  });

  test("estimates what it reads from the system text and every message", async () => {
    const request: ModelRequest = {
      system: "12345678",
      messages: [
        user("1234"),
        {
          role: "assistant",
          id: "msg_2" as MessageId,
          parts: [
            { type: "reasoning", text: "1234" },
            { type: "call", callId: "call_1" as CallId, name: "glob", input: "{12}" },
          ],
        },
        result("12345"),
        { role: "user", id: "msg_3" as MessageId, parts: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      ],
      tools: [],
    };
    expect((await answer(scriptedModel([[text("12345")]]), request)).at(-2)).toEqual(tokens(1_008, 2));
  });
});

describe("a script", () => {
  test("gives one reply per request, and says when it is over", async () => {
    const model = scriptedModel([[text("first")], [text("second")]]);
    expect([await answerText(model), await answerText(model), await answerText(model)]).toEqual([
      "first",
      "second",
      "The script is over: it has 2 replies, and none is left for this request.",
    ]);
  });

  test("counts the calls of all its replies", async () => {
    const model = scriptedModel([[call("a"), call("b")], [call("c")]]);
    const events = [...(await answer(model)), ...(await answer(model))];
    expect(events.flatMap((event) => (event.type === "call" ? [event.id] : []))).toEqual([
      "call_1",
      "call_2",
      "call_3",
    ]);
  });

  test("records every request as it was when it was made", async () => {
    const model = scriptedModel([]);
    const messages = [user("one")];
    await answer(model, { system: "s", messages, tools: [], thoughtLevel: "high" });
    messages.push(user("two"));
    await answer(model, { system: "s", messages, tools: [] });
    expect(model.asked).toEqual([
      { system: "s", messages: [user("one")], tools: [], thoughtLevel: "high" },
      { system: "s", messages: [user("one"), user("two")], tools: [] },
    ]);
  });

  test("tells several stories by their conditions", async () => {
    const model = scriptedModel([
      when({ lastUserText: /weather/gi }, text("I look out.")),
      when({ lastUserText: /weather/gi, lastResult: /sun/ }, text("Take a hat.")),
      when({ lastResult: /.*/ }, text("I see.")),
      [text("Pardon?")],
    ]);
    const said = [];
    for (const request of [
      asking(user("The Weather?")),
      asking(user("The weather?"), result("sun")),
      asking(user("the weather?"), result("rain")),
      asking(user("weather again")),
      asking(user("the time?")),
      asking(user("the time!")),
    ]) {
      said.push(await answerText(model, request));
    }
    expect(said).toEqual([
      "I look out.",
      "Take a hat.",
      "I see.",
      "I look out.",
      "Pardon?",
      "The script is over: it has 4 replies, and none is left for this request.",
    ]);
  });

  test("lets replies with the same condition take turns", async () => {
    const flaky = { lastUserText: /flaky/ };
    const model = scriptedModel([when(flaky, text("down")), when(flaky, text("up"))]);
    const said = [];
    for (let i = 0; i < 3; i++) said.push(await answerText(model, asking(user("flaky"))));
    expect(said).toEqual(["down", "up", "down"]);
  });

  test("says what model it plays", () => {
    expect(scriptedModel([], { info: { id: "scripted/small", windowTokens: 100 } }).info).toEqual({
      id: "scripted/small",
      name: "Scripted",
      windowTokens: 100,
      takes: { image: true, audio: true },
      thoughtLevels: [],
    });
  });
});

describe("an abort", () => {
  test("ends a stall at once, without a last event", async () => {
    const controller = new AbortController();
    const model = scriptedModel([[text("wait"), stall(), text("never")]], { delay: atOnce });
    const iterator = model.stream(asking(), controller.signal)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: { type: "text-delta", text: "wait" } });
    const next = iterator.next();
    expect(await Promise.race([next, new Promise((resolve) => setImmediate(resolve, "still waiting"))])).toBe(
      "still waiting",
    );
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("ends a delay at once, without a last event", async () => {
    const controller = new AbortController();
    const model = scriptedModel([[delay(3_600_000), text("never")]]);
    const next = model.stream(asking(), controller.signal)[Symbol.asyncIterator]().next();
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("comes through in the middle of a long answer that never waits", async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    let heard = 0;
    for await (const _ of scriptedModel([[repeat(1_000_000, text("word "))]]).stream(asking(), controller.signal))
      heard++;
    expect(heard).toBe(4_096);
  });

  test("before the first event leaves nothing to hear", async () => {
    const heard = [];
    for await (const event of scriptedModel([[text("a")]]).stream(asking(), AbortSignal.abort())) heard.push(event);
    expect(heard).toEqual([]);
  });

  test("ends the answer wherever it comes, with exactly what was said before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 6 }), fc.nat(40), async (steps, moment) => {
        const whole = await listen([steps], Number.POSITIVE_INFINITY);
        const part = await listen([steps], moment);
        expect(part.heard).toEqual(whole.heard.slice(0, part.heard.length));
        expect(part.beats).toBe(Math.min(whole.beats, moment));
      }),
      { numRuns: 300 },
    );
  });
});

const anyStep: fc.Arbitrary<Step> = fc.letrec<{ step: Step; leaf: Step }>((tie) => ({
  leaf: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(text("two words"), reasoning("so so"), reasoning("x", 1), call("glob")) },
    { weight: 2, arbitrary: fc.constantFrom(delay(5), notice("n"), usage({ inputTokens: 1, outputTokens: 1 })) },
    { weight: 1, arbitrary: fc.constantFrom(finish("length"), fail("model", "no"), cut()) },
  ),
  step: fc.oneof(
    { weight: 4, arbitrary: tie("leaf") },
    { weight: 1, arbitrary: fc.tuple(fc.nat(3), tie("leaf"), tie("leaf")).map(([count, a, b]) => repeat(count, a, b)) },
  ),
})).step;

/** Events and delays are beats; the signal fires at the given one. */
async function listen(script: Script, moment: number): Promise<{ heard: ModelEvent[]; beats: number }> {
  const controller = new AbortController();
  const heard: ModelEvent[] = [];
  let beats = 0;
  const beat = (): void => {
    if (++beats === moment) controller.abort();
  };
  if (moment === 0) controller.abort();
  const model = scriptedModel(script, { delay: async () => beat() });
  for await (const event of model.stream(asking(), controller.signal)) {
    heard.push(event);
    beat();
  }
  return { heard, beats };
}
