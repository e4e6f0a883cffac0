import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallView, TurnOutcome } from "../event/event.ts";
import { type FaultKind, fault } from "../fault/fault.ts";
import type { CallId, MessageId, SessionId, TurnId } from "../id/id.ts";
import { type Message, text } from "../message/message.ts";
import type { EntryBody } from "./entry.ts";
import { foldHistory, History } from "./fold.ts";
import { isSummary, toSummary } from "./summary-message.ts";
import { isAside, trimResult } from "./turn-messages.ts";

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

test("a call keeps what its provider wants back", () => {
  const asked: EntryBody = {
    ...(call("m1", "c1") as Extract<EntryBody, { type: "call" }>),
    opaque: { signature: "s" },
  };

  const { messages } = foldHistory([prompt("t1", "Go"), asked]);

  expect(messages[1]?.parts).toEqual([{ ...callPart("c1"), opaque: { signature: "s" } }]);
});

describe("an aside", () => {
  test("joins the prompt until the assistant has begun, and is a message of its own afterwards", () => {
    const { messages } = foldHistory([
      prompt("t1", "Go"),
      aside("It is Monday."),
      aside("It rains."),
      call("m1", "c1"),
      aside("It is Tuesday."),
      aside("The sun shines."),
      ended("c1", "done"),
      said("m2", "Fine."),
    ]);

    expect(messages).toEqual([
      { role: "user", id: "of-t1", parts: [text("Go"), text("It is Monday."), text("It rains.")] },
      { role: "assistant", id: "m1", parts: [callPart("c1")] },
      result("c1", "done"),
      { role: "user", id: "t1:aside:1", parts: [text("It is Tuesday.")] },
      { role: "user", id: "t1:aside:2", parts: [text("The sun shines.")] },
      assistant("m2", "Fine."),
    ]);
    expect(messages.map(isAside)).toEqual([false, false, false, true, true, false]);
  });

  test.each<[string, readonly EntryBody[]]>([
    ["between two turns", [prompt("t1", "Go"), said("m1", "Done."), turnEnded("t1"), aside("It is Monday.")]],
    [
      "with a prompt that was refused",
      [
        prompt("t1", "Go"),
        said("m1", "Done."),
        turnEnded("t1"),
        prompt("t2", "Bad"),
        aside("It is Monday."),
        turnEnded("t2", { type: "refused" }),
      ],
    ],
  ])("that came %s is told with the next prompt", (_, entries) => {
    const { messages } = foldHistory([...entries, prompt("t3", "On"), prompt("t4", "And on")]);

    expect(messages).toEqual([
      user("t1", "Go"),
      assistant("m1", "Done."),
      { role: "user", id: "of-t3", parts: [text("On"), text("It is Monday.")] },
      assistant("t3-end", "[Interrupted: the process ended before this turn was finished.]"),
      user("t4", "And on"),
    ]);
  });
});

describe("a result that was trimmed", () => {
  const long = `${"a".repeat(600)}${"b".repeat(5_000)}${"c".repeat(2_400)}`;
  const short = `${"a".repeat(600)}\n[… 5000 characters left out …]\n${"c".repeat(2_400)}`;
  const image = { type: "image", data: "A".repeat(4_000), mimeType: "image/png" } as const;

  test("is given as head and tail from then on, in ended turns and in the open one; others are as they were", () => {
    const history = foldHistory([
      prompt("t1", "Go"),
      call("m1", "c1"),
      call("m1", "c2"),
      ended("c1", long, { failed: true }),
      ended("c2", long),
      turnEnded("t1"),
      prompt("t2", "On"),
      call("m2", "c3"),
      call("m2", "c4"),
      ended("c3", long),
    ]);
    const before = history.messages;

    history.add({ type: "trimmed", callIds: ["c1", "c3", "c4", "nobody's"].map(callId) });
    history.add({ type: "trimmed", callIds: ["c1", "c3"].map(callId) });
    history.add(ended("c4", long));

    const after = history.messages;
    expect(after.filter(({ role }) => role === "result")).toEqual([
      result("c1", short, { failed: true }),
      result("c2", long),
      result("c3", short),
      result("c4", short),
    ]);
    expect(after.map((message, at) => message === before[at])).toEqual([
      ...[true, true, false, true],
      ...[true, true, false, false],
    ]);
  });

  test.each([
    ["short text stays", [text("a".repeat(3_000))], [text("a".repeat(3_000))]],
    ["a few characters too many stay", [text("a".repeat(3_099))], [text("a".repeat(3_099))]],
    ["an image becomes a word", [text("See:"), image], [text("See:\n[image]")]],
    ["a small image stays", [{ ...image, data: "AAAA" }], [{ ...image, data: "AAAA" }]],
    ["a text of several parts is one", [text(long.slice(0, 3_000)), text(long.slice(3_000))], [text(expectOne(long))]],
    ["no character is split", [text(`${"a".repeat(599)}${"😀".repeat(3_000)}`)], [text(expectEmoji())]],
  ])("%s", (_, parts, told) => {
    const { role, failed } = result("c", "");
    const trimmed = trimResult({ role: role as "result", callId: callId("c"), name: "read_file", failed, parts });

    expect(trimmed.parts).toEqual(told);
    expect(trimResult(trimmed)).toBe(trimmed);
  });

  function expectOne(all: string): string {
    const joined = `${all.slice(0, 3_000)}\n${all.slice(3_000)}`;
    return `${joined.slice(0, 600)}\n[… 5001 characters left out …]\n${joined.slice(-2_400)}`;
  }

  function expectEmoji(): string {
    return `${"a".repeat(599)}\n[… 3600 characters left out …]\n${"😀".repeat(1_200)}`;
  }
});

describe("a summary", () => {
  const conversation = [
    prompt("t1", "One"),
    call("m1", "c1"),
    ended("c1", "1"),
    said("m2", "First."),
    turnEnded("t1"),
    prompt("t2", "Two"),
    call("m3", "c2"),
    call("m3", "c3"),
    ended("c2", "2"),
    ended("c3", "3"),
    said("m4", "Second."),
    turnEnded("t2"),
    prompt("t3", "Three"),
    aside("It is Monday."),
    call("m5", "c4"),
    ended("c4", "4"),
    aside("Hurry."),
    call("m6", "c5"),
  ];

  test.each<[string, string, number, boolean]>([
    ["ends with a turn", "m2", 4, false],
    ["ends inside of an ended turn, with the results of its last message", "m3", 8, false],
    ["ends with a prompt", "of-t2", 5, false],
    ["ends where the open turn begins", "of-t3", 9, false],
    ["ends inside of the open turn, whose prompt stays", "m5", 12, true],
    ["ends with an aside of the open turn", "t3:aside:1", 13, true],
  ])("%s", (_, through, cut, keepsPrompt) => {
    const history = foldHistory(conversation);
    const before = history.messages;

    history.add(summary("x", through));

    const { messages, summarised, summaries } = history;
    const kept = [...(keepsPrompt ? [before[9]] : []), ...before.slice(cut)];
    expect({ messages, summarised, summaries }).toEqual({
      messages: [toSummary("x", "Summary x"), ...kept],
      summarised: true,
      summaries: 1,
    });
    for (const [at, message] of kept.slice(0, -1).entries()) expect(messages[at + 1]).toBe(message);
    expect(messages.map(isSummary)).toEqual([true, ...kept.map(() => false)]);
    expect(history.callIds.size).toBe(5);
    expect(history.openTurn).toEqual({ turnId: "t3", calls: [{ callId: "c5", name: "read_file", running: false }] });
  });

  test("that ends nowhere changes nothing", () => {
    const history = foldHistory([...conversation, reasoning("m7", "Hm.")]);
    const before = history.messages;

    history.add(summary("x", "m7"));
    history.add(summary("x", "elsewhere"));

    expect(history.messages).toEqual(before);
    expect({ summarised: history.summarised, summaries: history.summaries }).toEqual({
      summarised: false,
      summaries: 0,
    });
  });

  test("replaces the one before it, also where that is all it replaces; what it replaced is gone", () => {
    const history = foldHistory([...conversation, summary("x", "m2"), summary("y", "m1"), summary("z", "m4")]);
    const after = history.messages;

    history.add(summary("w", "summary:z"));

    expect(after[0]).toEqual(toSummary("z", "Summary z"));
    expect(after[1]).toMatchObject({ id: "of-t3" });
    expect(history.messages).toEqual([toSummary("w", "Summary w"), ...after.slice(1)]);
    expect(history.summaries).toBe(3);
  });

  test("tells the model that it is one", () => {
    expect(toSummary("x", "All went well.").parts).toEqual([
      text(
        "The beginning of this session no longer fits. This is your own summary of it; what follows is as it was said. Go on from there, and read files again before you rely on their contents.\n<summary>\nAll went well.\n</summary>",
      ),
    ]);
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
      { numRuns: 300 },
    );
  });

  test("looking at it on the way changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyEntry(), { maxLength: 40 }), (entries) => {
        const history = new History();
        const looks = entries.map((entry) => {
          history.add(entry);
          return history.messages;
        });

        for (const [at, messages] of looks.entries()) {
          expect(messages).toEqual(foldHistory(entries.slice(0, at + 1)).messages);
        }
      }),
    );
  });

  test("a summary takes the place of everything through its end, and of nothing else", () => {
    const ids = ["m1", "m2", "m3", "of-t1", "of-t2", "t1:aside:1", "t1-end", "summary:x"];
    fc.assert(
      fc.property(fc.array(anyEntry(), { maxLength: 40 }), fc.constantFrom(...ids), (entries, through) => {
        const history = foldHistory(entries);
        const before = history.messages;
        const prompts = before.filter(({ role }) => role === "user").filter((m) => !isAside(m) && !isSummary(m));
        const openPrompt = history.openTurn === undefined ? undefined : prompts.at(-1);

        history.add(summary("new", through));

        const at = before.findLastIndex((message) => message.role !== "result" && message.id === through);
        let end = at + 1;
        while (before[end]?.role === "result") end++;
        const rest = before.slice(end);
        const kept = openPrompt === undefined || rest.includes(openPrompt) ? rest : [openPrompt, ...rest];
        expect(history.messages).toEqual(at < 0 ? before : [toSummary("new", "Summary new"), ...kept]);
      }),
      { numRuns: 500 },
    );
  });

  test("as sessions write it, person and assistant take turns", () => {
    fc.assert(
      fc.property(anySession(), (entries) => {
        const history = new History();
        for (const entry of entries) {
          history.add(entry);
          const roles = history.messages.map(({ role }) => role);
          expect(roles.filter((role, at) => role === "assistant" && roles[at - 1] === "assistant")).toEqual([]);
          expect(roles.slice(0, 1)).not.toContain("assistant");
        }
      }),
    );
  });

  test("what ended turns are told as stays the beginning of what follows", () => {
    const inner = fc.array(
      anyEntry().filter(({ type }) => type !== "prompt" && type !== "turn-ended" && !changesThePast(type)),
      { maxLength: 10 },
    );
    const ending = fc.constantFrom<TurnOutcome>({ type: "ended" }, { type: "cancelled" }, { type: "refused" });
    const turns = fc.array(fc.tuple(inner, ending), { maxLength: 4 });
    fc.assert(
      fc.property(turns, fc.array(anyEntry(), { maxLength: 40 }), (before, anything) => {
        const after = anything.filter(({ type }) => !changesThePast(type));
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
    fc.tuple(callName, fc.constantFrom("done", "x".repeat(4_000))).map(([name, told]) => ended(name, told)),
    words.map(aside),
    callName.map((name): EntryBody => ({ type: "trimmed", callIds: [callId(name)] })),
    fc.constantFrom("m1", "m2", "m3", "of-t1", "of-t2", "t1:aside:1", "t1-end").map((id) => summary("x", id)),
    fc.tuple(turn, outcome).map(([id, type]) => turnEnded(id, { type } as TurnOutcome)),
    fc.constant<EntryBody>({ type: "interrupted" }),
  );
}

function changesThePast(type: EntryBody["type"]): boolean {
  return type === "trimmed" || type === "summary";
}

/** Turns as the loop runs them, with asides, trims and summaries anywhere. */
function anySession(): fc.Arbitrary<readonly EntryBody[]> {
  const interlude = fc.array(
    fc.oneof(
      fc.constant("aside" as const),
      fc.nat().map((pick) => ({ summaryOf: pick })),
      fc.nat().map((pick) => ({ trims: pick })),
    ),
    { maxLength: 2 },
  );
  const outcome = fc.constantFrom<TurnOutcome["type"]>("ended", "cancelled", "refused", "exhausted");
  const turn = fc.record({ steps: fc.array(interlude, { maxLength: 4 }), last: interlude, outcome });
  return fc.array(turn, { maxLength: 5 }).map((turns) => {
    const entries: EntryBody[] = [];
    const ids: string[] = [];
    const calls: string[] = [];
    const add = (between: typeof interlude extends fc.Arbitrary<infer T> ? T : never): void => {
      for (const one of between) {
        if (one === "aside") entries.push(aside("By the way."));
        else if ("summaryOf" in one) entries.push(summary(`s${entries.length}`, ids[one.summaryOf % ids.length] ?? ""));
        else entries.push({ type: "trimmed", callIds: [callId(calls[one.trims % calls.length] ?? "")] });
      }
    };
    for (const [number, { steps, last, outcome }] of turns.entries()) {
      entries.push(prompt(`t${number}`, "Go"));
      ids.push(`of-t${number}`);
      for (const [step, between] of steps.entries()) {
        add(between);
        const id = `${number}-${step}`;
        entries.push(said(`m${id}`, "I look."), call(`m${id}`, `c${id}`), ended(`c${id}`, "x".repeat(4_000)));
        ids.push(`m${id}`);
        calls.push(`c${id}`);
      }
      add(last);
      if (outcome === "ended") entries.push(said(`m${number}`, "Done."));
      entries.push(turnEnded(`t${number}`, { type: outcome } as TurnOutcome));
      add(last);
    }
    return entries;
  });
}

function aside(said: string): EntryBody {
  return { type: "aside", text: said };
}

function summary(compactionId: string, through: string): EntryBody {
  const of = { text: `Summary ${compactionId}`, tokensBefore: 100, tokensAfter: 10 };
  return { type: "summary", compactionId, through: through as MessageId, ...of };
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
