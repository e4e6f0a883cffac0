// Sessions as an embedder drives them: what is told, how a turn ends, and that nothing waits for ever.

import { tmpdir } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import type { SessionEvent } from "../event/event.ts";
import { fault } from "../fault/fault.ts";
import { memoryStore } from "../journal/memory-store.ts";
import { localMachine } from "../machine/local-machine.ts";
import { type AnswerFunction, createModel } from "../model/create-model.ts";
import type { ModelRequest } from "../model/model.ts";
import { builtinTools } from "../tool/builtin/index.ts";
import { createTool, field } from "../tool/create-tool.ts";
import { createRuntime, type Runtime } from "./runtime.ts";
import type { BuiltinToolName, RuntimeOptions } from "./runtime-options.ts";
import { SessionError } from "./session-error.ts";

const open: Runtime[] = [];
afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
});

describe("a turn", () => {
  test("tells everything in order, and then how it ended", async () => {
    const session = await runtimeOf(clerk, { askPermission: () => "allow_once" }).start();
    const turn = session.prompt("Two lamps, please.");
    const events = await allOf(turn);

    expect(events.map(({ type }) => type)).toEqual([
      "prompt",
      "title",
      "usage",
      "call",
      "call-running",
      "call-ended",
      "text-delta",
      "usage",
      "turn-ended",
    ]);
    const { outcome, text, tokens, usage } = await turn.result;
    expect([outcome, text]).toEqual([{ type: "ended" }, "On its way."]);
    expect(tokens.totalTokens).toBe(tokens.inputTokens + tokens.outputTokens);
    expect(tokens.inputTokens).toBeGreaterThan(usage.usedTokens / 2);
  });

  test("need not be read to have a result", async () => {
    const session = await runtimeOf(chatter(10_000)).start();
    const { outcome, text } = await session.prompt("Go.").result;
    expect([outcome.type, text.length]).toEqual(["ended", 10_000]);
  });

  test("that was not read from its start cannot be read, and can be read once only", async () => {
    const session = await runtimeOf(chatter(5_000)).start();
    const unread = session.prompt("Go.");
    await unread.result;
    await expect(allOf(unread)).rejects.toThrow("before anybody read them");
    const read = session.prompt("Go.");
    await allOf(read);
    await expect(allOf(read)).rejects.toThrow("once");
  });

  test("goes no faster than its reader", async () => {
    let said = 0;
    const session = await runtimeOf(async function* () {
      for (; said < 2_000; said++) yield "x";
    }).start();
    let read = 0;
    let ahead = 0;
    for await (const { type } of session.prompt("Go.")) {
      if (type !== "text-delta") continue;
      read++;
      ahead = Math.max(ahead, said - read);
      if (read % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(read).toBe(2_000);
    expect(ahead).toBeLessThan(100);
  });

  test("whose result is awaited in the loop goes on without its reader", async () => {
    const session = await runtimeOf(chatter(1_000)).start();
    const turn = session.prompt("Go.");
    let outcome: string | undefined;
    let read = 0;
    for await (const { type } of turn) {
      outcome ??= (await turn.result).outcome.type;
      if (type === "text-delta") read++;
    }
    expect([outcome, read]).toEqual(["ended", 1_000]);
  });

  test("of a model that throws has failed, and says why", async () => {
    const session = await runtimeOf(async function* () {
      yield "Half";
      throw new Error("the line is dead");
    }).start();
    const { outcome } = await session.prompt("Go.").result;
    expect(outcome).toMatchObject({ type: "failed", fault: { kind: "model", message: /the line is dead/ } });
  });
});

test("a request that may be made again is, when its model throws such a fault", async () => {
  let asked = 0;
  const retry = { attempts: 2, baseMs: 1, maxMs: 1, budgetMs: 1_000 };
  const answer: AnswerFunction = async function* () {
    if (++asked === 1) throw fault("rate-limit", "Too many.");
    yield "Now.";
  };
  const session = await runtimeOf(answer, { retry }).start();
  expect(await session.prompt("Go.").result).toMatchObject({ outcome: { type: "ended" }, text: "Now." });
});

describe("cancelled", () => {
  test("by leaving the loop, a turn is over when the loop is", async () => {
    const { model, ended } = endless();
    const session = await runtimeOf(model).start();
    const turn = session.prompt("Go.");
    for await (const { type } of turn) if (type === "text-delta") break;
    await ended;
    expect((await turn.result).outcome).toEqual({ type: "cancelled" });
    const again = session.prompt("Again.");
    for await (const { type } of again) if (type === "text-delta") break;
    expect((await again.result).outcome).toEqual({ type: "cancelled" });
  });

  test.each(["before", "during"])("by its signal, %s it, a turn ends", async (when) => {
    const controller = new AbortController();
    const session = await runtimeOf(endless().model).start();
    if (when === "before") controller.abort();
    const turn = session.prompt("Go.", { signal: controller.signal });
    for await (const { type } of turn) if (type === "text-delta") controller.abort();
    expect((await turn.result).outcome).toEqual({ type: "cancelled" });
  });

  test.each(["turn.cancel", "session.cancel", "session.close", "runtime.close"])(
    "by %s, a turn ends although its reader has stopped reading",
    async (how) => {
      let said = 0;
      const runtime = runtimeOf(async function* () {
        for (;;) yield `${said++}`;
      });
      const session = await runtime.start();
      const turn = session.prompt("Go.");
      const { result } = turn;
      turn[Symbol.asyncIterator]();
      for (let before = -1; said === 0 || before < said; await ticks(10)) before = said;
      const ways: Record<string, () => unknown> = {
        "turn.cancel": () => turn.cancel(),
        "session.cancel": () => session.cancel(),
        "session.close": () => session.close(),
        "runtime.close": () => runtime.close(),
      };
      await ways[how]?.();
      expect((await result).outcome).toEqual({ type: "cancelled" });
    },
  );

  test("by whoever does not wait for the next event any more", async () => {
    const session = await runtimeOf(async function* (_, signal) {
      yield "x";
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }).start();
    const turn = session.prompt("Go.");
    const reader = turn[Symbol.asyncIterator]();
    for (let one = await reader.next(); one.value?.type !== "text-delta"; one = await reader.next());
    const waiting = reader.next();
    await reader.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});

describe("asked", () => {
  test("the handler sees what would be done, and its answer counts", async () => {
    const asked: unknown[] = [];
    const session = await runtimeOf(clerk, {
      askPermission: ({ tool, title, input }, options) => {
        asked.push([tool, title, input, options.map(({ id }) => id)]);
        return "reject_once";
      },
    }).start();
    const { text } = await session.prompt("Two lamps, please.").result;
    const options = ["allow_once", "allow_always", "reject_once", "reject_always"];
    expect(asked).toEqual([["order", "Order 2 lamp", { item: "lamp", count: "2" }, options]]);
    expect(text).toBe("Refused.");
  });

  test("nobody, what would be asked is refused", async () => {
    const session = await runtimeOf(clerk).start();
    expect((await session.prompt("Two lamps, please.").result).text).toBe("Refused.");
  });

  test("a session's own handler comes before the runtime's", async () => {
    const runtime = runtimeOf(clerk, { askPermission: () => "reject_once" });
    const session = await runtime.start({ askPermission: async () => "allow_once" });
    expect((await session.prompt("Two lamps, please.").result).text).toBe("On its way.");
  });
});

describe("sessions", () => {
  test("side by side hear only of themselves, between turns as well", async () => {
    const runtime = runtimeOf(async function* ({ messages }) {
      yield `${messages.length}`;
    });
    const heard: SessionEvent[][] = [[], []];
    const listen = (at: number) => (event: SessionEvent) => void heard[at]?.push(event);
    const [one, two] = await Promise.all([
      runtime.start({ onEvent: listen(0) }),
      runtime.start({ onEvent: listen(1) }),
    ]);
    const [first, second] = await Promise.all([one.prompt("One."), two.prompt("Two.")].map(allOf));
    expect([first, second]).toEqual(heard);
    one.setMode("plan");
    expect(heard[0]?.at(-1)).toEqual({ type: "mode", modeId: "plan" });
    expect(heard[1]).toEqual(second);
  });

  test("are resumed by their id, with what was said", async () => {
    const requests: ModelRequest[] = [];
    const store = memoryStore();
    const answer: AnswerFunction = async function* (request) {
      requests.push(request);
      yield "Noted.";
    };
    const before = runtimeOf(answer, { store });
    const { id } = await before.start();
    await expect(before.resume(id)).rejects.toMatchObject({ name: "SessionError", type: "active" });
    await before.close();

    const after = await runtimeOf(answer, { store }).resume(id);
    await after.prompt("The lamp is red.").result;
    await after.close();
    const last = await runtimeOf(answer, { store }).resume(id);
    const replayed: SessionEvent[] = [];
    for await (const event of last.replay()) replayed.push(event);
    expect(replayed.map(({ type }) => type)).toEqual([
      "prompt",
      "model",
      "title",
      "aside",
      "text",
      "usage",
      "turn-ended",
    ]);
    expect(last.title).toBe("The lamp is red.");
    await last.prompt("Which colour?").result;
    expect(requests.at(-1)?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("that are no more are told by their error", async () => {
    const runtime = runtimeOf(chatter(1));
    const session = await runtime.start();
    await expect(runtime.resume("sess_none")).rejects.toMatchObject({ type: "missing" });
    await session.close();
    await expect(session.prompt("Go.").result).rejects.toMatchObject({ type: "closed" });
    await expect(allOf(session.prompt("Go."))).rejects.toBeInstanceOf(SessionError);
    await runtime.close();
    await expect(runtime.start()).rejects.toMatchObject({ type: "closed" });
  });

  test("go on where they were, or where they are told to", async () => {
    const machine = (roots: readonly string[]) => localMachine({ roots, spillFolder: tmpdir() });
    const store = memoryStore();
    const first = await runtimeOf(chatter(1), { store, machine }).start({ cwd: tmpdir() });
    await first.close();
    const second = await runtimeOf(chatter(1), { store, machine }).resume(first.id);
    expect(second.cwd).toBe(tmpdir());
    await second.close();
    const third = await runtimeOf(chatter(1), { store, machine }).resume(first.id, { cwd: "/" });
    expect(third.cwd).toBe("/");
    await third.close();
    const last = await runtimeOf(chatter(1), { store, machine }).resume(first.id, { additionalRoots: [tmpdir()] });
    expect(last.cwd).toBe("/");
  });

  test("that could not be resumed are not in use afterwards", async () => {
    const store = memoryStore();
    const { id } = await runtimeOf(chatter(1), { store }).start();
    await open.pop()?.close();
    let breaks = true;
    const config = async () => {
      if (breaks) throw new Error("no settings");
      return { env: {} };
    };
    const runtime = runtimeOf(chatter(1), { store, config });
    await expect(runtime.resume(id)).rejects.toThrow("no settings");
    breaks = false;
    const catalogue = { list: () => [], find: () => undefined };
    await expect(runtimeOf(chatter(1), { store, catalogue }).resume(id)).rejects.toMatchObject({
      type: "failed",
      fault: { kind: "auth" },
    });
    expect((await runtime.resume(id)).id).toBe(id);
  });

  test("that are being started when their runtime is closed are closed with it", async () => {
    const store = memoryStore();
    const runtime = runtimeOf(chatter(1), { store });
    const starting = runtime.start();
    const closing = runtime.close();
    await expect(starting).rejects.toMatchObject({ type: "closed" });
    await closing;
  });

  test("have one turn at a time: a second is refused and leaves the first alone", async () => {
    const session = await runtimeOf(endless().model).start();
    const first = session.prompt("Go.");
    await expect(allOf(session.prompt("And?"))).rejects.toMatchObject({ type: "busy" });
    first.cancel();
    expect((await first.result).outcome).toEqual({ type: "cancelled" });
  });

  test("need a folder that is there, where there is a machine", async () => {
    const machine = (roots: readonly string[]) => localMachine({ roots, spillFolder: tmpdir() });
    const runtime = runtimeOf(chatter(1), { machine });
    const cases = [undefined, "here", "/no/such/folder"];
    const problems = await Promise.all(
      cases.map((cwd) => runtime.start({ cwd: cwd as string }).catch(({ message }: Error) => message)),
    );
    expect(problems).toEqual([
      "The session cannot work there: cwd must not be empty.",
      "The session cannot work there: cwd must be an absolute path, got 'here'.",
      "The session cannot work there: cwd does not exist: '/no/such/folder'.",
    ]);
  });
});

describe("the model", () => {
  const names = builtinTools.map(({ name }) => name as BuiltinToolName);

  test.each<[string, Partial<RuntimeOptions>, readonly string[]]>([
    ["no machine: your tools alone", {}, ["order"]],
    ["no machine, some named", { builtinTools: ["todo_write"] }, ["todo_write", "order"]],
    ["a machine: all", { machine: (roots) => localMachine({ roots, spillFolder: tmpdir() }) }, [...names, "order"]],
  ])("is given, with %s", async (_, options, expected) => {
    let request: ModelRequest | undefined;
    const runtime = runtimeOf(
      async function* (asked) {
        request = asked;
        yield "Yes.";
      },
      { ...options, system: "You are a clerk." },
    );
    await (await runtime.start({ cwd: tmpdir() })).prompt("Go.").result;
    expect(request?.tools.map(({ name }) => name)).toEqual(expected);
    expect(request?.system).toBe("You are a clerk.");
    expect(request?.messages).toMatchObject([{ role: "user", parts: [{ type: "text", text: "Go." }] }]);
  });

  test("can be given every built-in tool by its name", () => {
    const known: Readonly<Record<BuiltinToolName, true>> = {
      read_file: true,
      write_file: true,
      replace: true,
      list_directory: true,
      glob: true,
      search_file_content: true,
      run_shell_command: true,
      check_background_command: true,
      stop_background_command: true,
      todo_write: true,
      ask_user: true,
      web_fetch: true,
    };
    expect(Object.keys(known)).toEqual(names);
  });

  test("is needed", () => {
    expect(() => createRuntime({ models: [] })).toThrow("A runtime needs models, or a catalogue.");
  });
});

const clerk: AnswerFunction = async function* ({ messages }) {
  const last = messages.at(-1);
  if (last?.role === "result") yield last.failed ? "Refused." : "On its way.";
  else yield { type: "call", name: "order", input: { item: "lamp", count: "2" } };
};

const order = createTool({
  name: "order",
  description: "Orders.",
  input: { item: field.string("What"), count: field.integer("How many") },
  title: ({ item, count }) => `Order ${count} ${item}`,
  run: ({ item, count }) => `${count satisfies number} × ${item satisfies string}`,
});

function runtimeOf(answer: AnswerFunction, options: Partial<RuntimeOptions> = {}): Runtime {
  const runtime = createRuntime({ models: [createModel("mine/clerk", answer)], tools: [order], ...options });
  open.push(runtime);
  return runtime;
}

/** So many characters, one by one. */
function chatter(count: number): AnswerFunction {
  return async function* () {
    for (let at = 0; at < count; at++) yield "x";
  };
}

function endless() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const model: AnswerFunction = async function* (_, signal) {
    try {
      while (!signal.aborted) {
        yield "x";
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      end();
    }
  };
  return { model, ended };
}

async function ticks(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
}

async function allOf(turn: AsyncIterable<SessionEvent>): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}
