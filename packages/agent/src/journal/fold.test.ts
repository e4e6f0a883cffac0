import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallView, TurnOutcome } from "../event/event.ts";
import { type FaultKind, fault } from "../fault/fault.ts";
import type { CallId, MessageId, SessionId, TurnId } from "../id/id.ts";
import { type Message, text } from "../message/message.ts";
import type { EntryBody } from "./entry.ts";
import { foldHistory, History } from "./fold.ts";

describe("messages", () => {
  test("are joined from their pieces, in the order in which they came", () => {
    const { messages } = foldHistory([
      prompt("t1", "What is in a.txt?"),
      reasoning("m1", "I should "),
      reasoning("m1", "look.", { signature: "s" }),
      reasoning("m1", "Yes."),
      said("m1", "I "),
      said("m1", "look."),
      call("m1", "c1", '{"path":"a.txt"}'),
      { type: "call-running", callId: callId("c1") },
      ended("c1", "nothing"),
      said("m2", "It is empty."),
      turnEnded("t1"),
    ]);

    expect(messages).toEqual([
      user("t1", "What is in a.txt?"),
      {
        role: "assistant",
        id: "m1",
        parts: [
          { type: "reasoning", text: "I should look.", opaque: { signature: "s" } },
          { type: "reasoning", text: "Yes." },
          text("I look."),
          { type: "call", callId: "c1", name: "read_file", input: '{"path":"a.txt"}' },
        ],
      },
      result("c1", "nothing"),
      assistant("m2", "It is empty."),
    ]);
  });

  test("keep results behind their calls, in the order of the calls, whenever they came", () => {
    const { messages } = foldHistory([
      prompt("t1", "Go"),
      call("m1", "c1"),
      call("m1", "c2"),
      ended("c2", "two"),
      said("m2", "…"),
      ended("c1", "one", { failed: true }),
      ended("c1", "again"),
      ended("nobody's", "lost"),
    ]);

    expect(messages).toEqual([
      user("t1", "Go"),
      { role: "assistant", id: "m1", parts: [callPart("c1"), callPart("c2")] },
      result("c1", "one", { failed: true }),
      result("c2", "two"),
      assistant("m2", "…"),
    ]);
  });

  test("leave out what says and does nothing", () => {
    const { messages } = foldHistory([
      prompt("t1", "Go"),
      said("m1", ""),
      reasoning("m2", "Hm.", "opaque"),
      said("m3", " \n"),
      call("m3", "c1"),
      ended("c1", "done"),
      reasoning("m4", ""),
      said("m4", "Done."),
      turnEnded("t1"),
    ]);

    expect(messages).toEqual([
      user("t1", "Go"),
      { role: "assistant", id: "m3", parts: [callPart("c1")] },
      result("c1", "done"),
      assistant("m4", "Done."),
    ]);
  });

  test("tell of a call that never ended whether it may have had its effect", () => {
    const { messages } = foldHistory([
      prompt("t1", "Go"),
      call("m1", "c1"),
      { type: "call-running", callId: callId("c1") },
      call("m1", "c2"),
      prompt("t2", "And?"),
    ]);

    expect(messages).toEqual([
      user("t1", "Go"),
      { role: "assistant", id: "m1", parts: [callPart("c1"), callPart("c2")] },
      result(
        "c1",
        "The process was interrupted while this ran; it may or may not have had its effect. Check before doing it again.",
        { failed: true },
      ),
      result("c2", "Not run: the turn was interrupted.", { failed: true }),
      assistant("t1-end", "[Interrupted: the process ended before this turn was finished.]"),
      user("t2", "And?"),
    ]);
  });

  test("do not repeat a call whose id was used before", () => {
    const { messages, callIds } = foldHistory([
      prompt("t1", "Go"),
      call("m1", "c1"),
      ended("c1", "one"),
      turnEnded("t1"),
      prompt("t2", "Again"),
      call("m2", "c1"),
    ]);

    expect(messages.slice(3)).toEqual([user("t2", "Again")]);
    expect([...callIds]).toEqual(["c1"]);
  });

  test("do not change any more when the turn is over", () => {
    const history = foldHistory([prompt("t1", "Go"), call("m1", "c1"), turnEnded("t1", { type: "cancelled" })]);
    const before = history.messages;

    history.add(ended("c1", "late"));
    history.add(turnEnded("t1"));
    history.add({ type: "interrupted" });

    expect(history.messages).toEqual(before);
  });
});

describe("a turn that did not end well", () => {
  const failed = (kind: FaultKind): TurnOutcome => ({ type: "failed", fault: fault(kind, "Oh.") });

  test.each<[string, TurnOutcome, string]>([
    ["was cancelled", { type: "cancelled" }, "[Cancelled by the user before this turn was finished.]"],
    ["was cut short", { type: "cut-short" }, "[Cut short: the limit of output was reached.]"],
    ["took too many steps", { type: "exhausted" }, "[Stopped: this turn took too many steps.]"],
    ["failed", failed("network"), "[Failed: an error ended this turn before it was finished.]"],
    ["went in circles", failed("loop"), "[Stopped: the same call was made again and again.]"],
  ])("says that it %s, in the assistant's last words or in words of its own", (_, outcome, remark) => {
    const inWords = foldHistory([prompt("t1", "Go"), said("m1", "I was abo"), turnEnded("t1", outcome)]);
    const inCalls = foldHistory([prompt("t1", "Go"), call("m1", "c1"), ended("c1", "ok"), turnEnded("t1", outcome)]);
    const inSilence = foldHistory([prompt("t1", "Go"), reasoning("m1", "Hm"), turnEnded("t1", outcome)]);

    expect(inWords.messages.slice(1)).toEqual([
      { role: "assistant", id: "m1", parts: [text("I was abo"), text(`\n\n${remark}`)] },
    ]);
    expect(inCalls.messages.slice(2)).toEqual([result("c1", "ok"), assistant("t1-end", remark)]);
    expect(inSilence.messages.slice(1)).toEqual([assistant("t1-end", remark)]);
  });

  test("is left out of what follows, with its prompt, when it was refused", () => {
    const { messages, turns, title } = foldHistory([
      prompt("t1", "Hello"),
      said("m1", "Hello."),
      turnEnded("t1"),
      prompt("t2", "Something bad"),
      { type: "title", title: "Kept" },
      said("m2", "I can"),
      turnEnded("t2", { type: "refused" }),
    ]);

    expect(messages).toEqual([user("t1", "Hello"), assistant("m1", "Hello.")]);
    expect({ turns, title }).toEqual({ turns: 2, title: "Kept" });
  });

  test("is not ended by the end of another", () => {
    const history = foldHistory([prompt("t1", "Go"), prompt("t2", "Again"), turnEnded("t1", { type: "refused" })]);

    expect(history.openTurn).toEqual({ turnId: "t2", calls: [] });
    expect(history.messages.at(-1)).toEqual(user("t2", "Again"));
  });

  test("is known as open until somebody says that it was interrupted", () => {
    const history = foldHistory([
      prompt("t1", "Go"),
      call("m1", "c1"),
      { type: "call-running", callId: callId("c1") },
      call("m1", "c2"),
      call("m1", "c3"),
      ended("c3", "done"),
    ]);
    const { openTurn } = history;

    history.add({ type: "interrupted" });

    expect(openTurn).toEqual({
      turnId: "t1",
      calls: [
        { callId: "c1", name: "read_file", running: true },
        { callId: "c2", name: "read_file", running: false },
      ],
    });
    expect(history.openTurn).toBeUndefined();
    expect(history.messages.at(-1)).toEqual(
      assistant("t1-end", "[Interrupted: the process ended before this turn was finished.]"),
    );
  });
});

test("settings are what was set last", () => {
  const { plan, modeId, modelId, thoughtLevel, title, usage, turns, openTurn } = foldHistory([
    { type: "session", version: 1, id: "s" as SessionId, cwd: "/" },
    { type: "mode", modeId: "plan" },
    { type: "mode", modeId: "read-only" },
    { type: "model", modelId: "a/b" },
    { type: "thought-level", level: "high" },
    { type: "title", title: "One" },
    { type: "title", title: "Two" },
    { type: "plan", entries: [{ content: "x", priority: "low", status: "pending" }] },
    { type: "plan", entries: [] },
    { type: "usage", usage: { usedTokens: 1, windowTokens: 2 } },
    { type: "decision", callId: callId("c"), allowed: true, by: "rule", because: "" },
    { type: "roots", cwd: "/b" },
    { at: 1, type: "hologram" } as never,
  ]);

  expect({ plan, modeId, modelId, thoughtLevel, title, usage, turns, openTurn }).toEqual({
    plan: [],
    modeId: "read-only",
    modelId: "a/b",
    thoughtLevel: "high",
    title: "Two",
    usage: { usedTokens: 1, windowTokens: 2 },
    turns: 0,
    openTurn: undefined,
  });
});

describe("whatever a journal holds, and wherever it ends", () => {
  test("every call has one result, right behind the message that asked for it, and no message is empty", () => {
    fc.assert(
      fc.property(fc.array(anyEntry(), { maxLength: 40 }), (entries) => {
        const history = new History();
        for (const entry of entries) {
          history.add(entry);
          expect(problemsOf(history.messages)).toEqual([]);
        }
      }),
    );
  });

  test("what ended turns are told as stays the beginning of what follows", () => {
    const inner = fc.array(
      anyEntry().filter(({ type }) => type !== "prompt" && type !== "turn-ended"),
      { maxLength: 10 },
    );
    const ending = fc.constantFrom<TurnOutcome>({ type: "ended" }, { type: "cancelled" }, { type: "refused" });
    const turns = fc.array(fc.tuple(inner, ending), { maxLength: 4 });
    fc.assert(
      fc.property(turns, fc.array(anyEntry(), { maxLength: 40 }), (before, after) => {
        const history = new History();
        for (const [index, [entries, outcome]] of before.entries()) {
          const within = entries.filter((entry) => entry.type !== "interrupted");
          for (const entry of [prompt(`t${index}`, "Go"), ...within, turnEnded(`t${index}`, outcome)])
            history.add(entry);
        }
        const beginning = history.messages;

        for (const entry of after) history.add(entry);

        expect(history.messages.slice(0, beginning.length)).toEqual(beginning);
      }),
    );
  });
});

function problemsOf(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let awaited: string[] = [];
  for (const message of messages) {
    if (message.role === "result") {
      if (awaited.shift() !== message.callId) problems.push(`a result for ${message.callId} out of place`);
      continue;
    }
    if (awaited.length > 0) problems.push(`no result for ${awaited}`);
    if (message.parts.length === 0) problems.push("an empty message");
    awaited = message.parts.flatMap((part) => (part.type === "call" ? [part.callId] : []));
    for (const id of awaited) if (seen.has(id)) problems.push(`${id} twice`);
    for (const id of awaited) seen.add(id);
  }
  return awaited.length > 0 ? [...problems, `no result for ${awaited}`] : problems;
}

function anyEntry(): fc.Arbitrary<EntryBody> {
  const message = fc.constantFrom("m1", "m2", "m3");
  const callName = fc.constantFrom("c1", "c2", "c3", "c4");
  const turn = fc.constantFrom("t1", "t2");
  const words = fc.constantFrom("", " ", "word");
  const outcome = fc.constantFrom<TurnOutcome["type"]>("ended", "cancelled", "refused", "cut-short", "exhausted");
  return fc.oneof(
    turn.map((id) => prompt(id, "Go")),
    fc.tuple(message, words).map(([id, piece]) => said(id, piece)),
    fc.tuple(message, words).map(([id, piece]) => reasoning(id, piece)),
    fc.tuple(message, callName).map(([id, name]) => call(id, name)),
    callName.map((name): EntryBody => ({ type: "call-running", callId: callId(name) })),
    callName.map((name) => ended(name, "done")),
    fc.tuple(turn, outcome).map(([id, type]) => turnEnded(id, { type } as TurnOutcome)),
    fc.constant<EntryBody>({ type: "interrupted" }),
  );
}

function callId(id: string): CallId {
  return id as CallId;
}

function prompt(turnId: string, said: string): EntryBody {
  const message = { role: "user", id: `of-${turnId}` as MessageId, parts: [text(said)] } as const;
  return { type: "prompt", turnId: turnId as TurnId, message };
}

function said(messageId: string, text: string): EntryBody {
  return { type: "text", messageId: messageId as MessageId, text };
}

function reasoning(messageId: string, text: string, opaque?: unknown): EntryBody {
  return { type: "reasoning", messageId: messageId as MessageId, text, ...(opaque !== undefined && { opaque }) };
}

function call(messageId: string, id: string, rawInput = "{}"): EntryBody {
  const view: CallView = {
    callId: callId(id),
    name: "read_file",
    title: "Read",
    kind: "read",
    locations: [],
    input: {},
    content: [],
  };
  return { type: "call", messageId: messageId as MessageId, call: view, rawInput };
}

function ended(id: string, said: string, { failed = false } = {}): EntryBody {
  return { type: "call-ended", callId: callId(id), failed, told: [text(said)] };
}

function turnEnded(turnId: string, outcome: TurnOutcome = { type: "ended" }): EntryBody {
  return { type: "turn-ended", turnId: turnId as TurnId, outcome };
}

function user(turnId: string, said: string) {
  return { role: "user", id: `of-${turnId}`, parts: [text(said)] };
}

function assistant(id: string, said: string) {
  return { role: "assistant", id, parts: [text(said)] };
}

function callPart(id: string) {
  return { type: "call", callId: id, name: "read_file", input: "{}" };
}

function result(id: string, said: string, { failed = false } = {}) {
  return { role: "result", callId: id, name: "read_file", failed, parts: [text(said)] };
}
