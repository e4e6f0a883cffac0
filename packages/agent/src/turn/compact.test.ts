import { describe, expect, test } from "vitest";
import { ReadMessages } from "../context/read-messages.ts";
import type { CallView, SessionEvent } from "../event/event.ts";
import type { CallId, MessageId, TurnId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import { foldHistory, type History } from "../journal/fold.ts";
import { toSummary } from "../journal/summary-message.ts";
import { type Message, text as textPart } from "../message/message.ts";
import type { ModelInfo, Usage } from "../model/model.ts";
import { call, cut, fail, finish, notice, repeat, type Script, stall, text, usage } from "../model/script.ts";
import { scriptedModel } from "../model/scripted.ts";
import { SUMMARY_MARK } from "../model/summary-mark.ts";
import { type CompactionRoom, Compactor } from "./compact.ts";

const never = new AbortController().signal;
/** 10,000 tokens, of which 8,000 are there for what is read. */
const WINDOW = { windowTokens: 10_000 };

describe("while there is room", () => {
  test("nothing happens", async () => {
    const { compactor, events, model } = open(turns(4, 1_000));

    expect(await compactor.fit(never)).toEqual({ type: "fits" });
    expect({ events, asked: model.asked }).toEqual({ events: [], asked: [] });
  });

  test("the provider's own count is believed", async () => {
    const small = open(turns(9, 1_000), { lastCount: () => ({ tokens: 100, messages: 18 }) });
    const large = open(turns(6, 1_000), {
      lastCount: () => ({ tokens: 7_000, messages: 12 }),
      script: [[text("Short.")]],
    });

    expect(await small.compactor.fit(never)).toEqual({ type: "fits" });
    expect(await large.compactor.fit(never)).toMatchObject({ type: "compacted", tokensBefore: 7_000 });
  });

  test("a wish is answered with nothing where there is nothing to sum up", async () => {
    const { compactor, events } = open([prompt("t1", "Go")]);

    expect(await compactor.fit(never, { force: true })).toEqual({ type: "nothing" });
    expect(events).toEqual([]);
  });
});

describe("long results", () => {
  test("that are old are trimmed first, and that may be enough", async () => {
    const { compactor, events, model, history } = open(steps(8, 2_700));

    expect(await compactor.fit(never)).toEqual({ type: "fits" });
    expect(events).toEqual([]);
    expect(history.messages).toHaveLength(17);

    const large = open([...steps(8, 8_000, "t1", 1_000)], { compactAt: 0.9, windowTokens: 12_500 });
    const outcomes = [await large.compactor.fit(never), await large.compactor.fit(never)];

    expect(outcomes).toEqual([{ type: "fits" }, { type: "fits" }]);
    expect(large.events).toEqual([{ type: "trimmed", callIds: ["t1-c1", "t1-c2", "t1-c3"] }]);
    expect([...model.asked, ...large.model.asked]).toEqual([]);
  });

  test("are not trimmed twice for one count", async () => {
    const { compactor, events } = open(steps(8, 6_000), {
      windowTokens: 17_500,
      lastCount: () => ({ tokens: 11_000, messages: 17 }),
      compactAt: 0.75,
    });

    expect([await compactor.fit(never), await compactor.fit(never)]).toEqual([{ type: "fits" }, { type: "fits" }]);
    expect(events.map(({ type }) => type)).toEqual(["trimmed"]);
  });

  test("of a turn that has only begun are trimmed too, where it is wished and nothing else helps", async () => {
    const { compactor, events } = open(steps(1, 30_000));

    const outcome = await compactor.fit(never, { force: true });

    expect(outcome).toMatchObject({ type: "compacted" });
    expect(events).toEqual([{ type: "trimmed", callIds: ["t1-c1"] }]);
    expect(await compactor.fit(never, { force: true })).toEqual({ type: "nothing" });
  });
});

describe("a conversation that is too long", () => {
  test("is summed up by its own model, which is asked with the session's own request", async () => {
    const { compactor, events, model, history, used } = open(turns(12, 2_500), {
      script: [[text("All "), text("went well."), notice("Slow."), usage({ inputTokens: 7_000, outputTokens: 10 })]],
    });
    const before = history.messages;

    const outcome = await compactor.fit(never);

    const tokensBefore = 7_620;
    const tokensAfter = 1_964;
    expect(outcome).toEqual({ type: "compacted", tokensBefore, tokensAfter });
    expect(events).toEqual([
      { type: "compacting", compactionId: "k1" },
      { type: "notice", severity: "warning", message: "Slow." },
      {
        type: "summary",
        compactionId: "k1",
        text: "All went well.",
        through: "of-t9-m",
        tokensBefore,
        tokensAfter,
      },
    ]);
    expect(used).toEqual([{ inputTokens: 7_000, outputTokens: 10 }]);
    expect(history.messages).toEqual([toSummary("k1", "All went well."), ...before.slice(18)]);
    expect(model.asked).toHaveLength(1);
    expect(model.asked[0]?.messages.slice(0, -1)).toEqual(before);
    expect(saidLast(model.asked[0]?.messages)).toContain(SUMMARY_MARK);
    expect(await compactor.fit(never)).toEqual({ type: "fits" });
  });

  test("keeps its prompt where one turn is all there is", async () => {
    const { compactor, history } = open(steps(12, 2_500), { script: [[text("Done so far.")]] });

    expect(await compactor.fit(never)).toMatchObject({ type: "compacted" });

    const [summary, first, ...rest] = history.messages;
    expect(summary).toEqual(toSummary("k1", "Done so far.\n\nFiles that were touched, the newest last:\n- read: a.ts"));
    expect(first).toMatchObject({ role: "user", id: "of-t1" });
    expect(rest.length).toBeGreaterThanOrEqual(4);
    expect(rest.length).toBeLessThan(12);
    expect(rest[0]?.role).toBe("assistant");
  });

  test("is given as a transcript where it does not fit any more", async () => {
    const { compactor, model } = open(turns(20, 2_500), { script: [[text("All went well.")]] });

    expect(await compactor.fit(never)).toMatchObject({ type: "compacted" });

    expect(model.asked).toHaveLength(1);
    expect(model.asked[0]).toMatchObject({ tools: [], messages: [{ role: "user" }] });
    expect(saidLast(model.asked[0]?.messages)).toMatch(/<session>\n\[… \d+ older messages left out …\]/);
  });

  test.each<[string, Script[number]]>([
    ["calls a tool", [text("I look."), call("read_file", {})]],
    ["says nothing", [text(" ")]],
    ["cannot read it", [fail("overflow", "Too long.")]],
  ])("is given as a transcript where the model %s instead", async (_, reply) => {
    const { compactor, model } = open(turns(12, 2_500), { script: [reply, [text("All went well.")]] });

    expect(await compactor.fit(never)).toMatchObject({ type: "compacted" });
    expect(model.asked.map(({ messages }) => messages.length)).toEqual([25, 1]);
  });

  test("is shortened further where the window is smaller than it was said to be", async () => {
    const { compactor, model } = open(turns(12, 2_500), {
      windowTokens: 200_000,
      script: [[fail("overflow", "Too long.")], [text("All went well.")]],
    });

    expect(await compactor.fit(never, { force: true })).toMatchObject({ type: "compacted" });
    expect(saidLast(model.asked[1]?.messages)).toMatch(/\[… \d older messages left out …\]/);
    expect(saidLast(model.asked[1]?.messages).length / 4).toBeLessThan(7_620 / 2);
  });

  test("is summed up again later, together with the first summary", async () => {
    const { compactor, history, add } = open(turns(12, 2_500), { script: [[text("One.")], [text("Two.")]] });

    const first = await compactor.fit(never);
    add(turns(10, 2_500, "later"));
    const second = await compactor.fit(never);

    expect([first.type, second.type]).toEqual(["compacted", "compacted"]);
    expect(history.messages[0]).toEqual(toSummary("k2", "Two."));
    expect(history.summaries).toBe(2);
  });

  test("is measured anew after a summary, whatever was counted before", async () => {
    const { compactor, events } = open(turns(12, 2_500), {
      script: [[text("One.")]],
      lastCount: () => ({ tokens: 7_900, messages: 3 }),
    });

    expect([(await compactor.fit(never)).type, (await compactor.fit(never)).type]).toEqual(["compacted", "fits"]);
    expect(events.filter(({ type }) => type === "summary")).toHaveLength(1);
  });

  test("may still be short where it is wished, with what the person wants kept", async () => {
    const { compactor, model } = open([...turns(3, 400), prompt("now", "/compact the parser")], {
      script: [[text("Short.")]],
    });

    expect(await compactor.fit(never, { force: true, focus: "the parser" })).toMatchObject({ type: "compacted" });
    expect(saidLast(model.asked[0]?.messages)).toContain("above all: the parser");
  });
});

describe("what fails", () => {
  test.each<[string, Script, string]>([
    ["a fault", [[fail("bad-request", "No such thing.")]], "No such thing."],
    ["an answer that broke off", [[text("All"), cut()]], "The model's summary broke off before its end."],
    ["a refusal", [[text("No."), finish("refusal")]], "The model refused to write a summary."],
    ["silence twice", [[], []], "The model wrote no summary."],
    ["calls twice", [[call("grep")], [call("grep")]], "The model wrote no summary."],
  ])("changes nothing, and is told: %s", async (_, script, message) => {
    const { compactor, events, history } = open(turns(12, 2_500), { script });
    const before = history.messages;

    expect(await compactor.fit(never)).toEqual({ type: "failed", message });
    expect(events).toEqual([
      { type: "compacting", compactionId: "k1" },
      { type: "compaction-failed", compactionId: "k1", message },
    ]);
    expect(history.messages).toEqual(before);
  });

  test("to be much shorter changes nothing, and is told", async () => {
    const { compactor, events, history } = open([...turns(3, 400), prompt("now", "/compact")], {
      script: [[text("x".repeat(1_000))]],
    });
    const before = history.messages;
    const message = "The summary would hardly have been shorter than what it replaces.";

    expect(await compactor.fit(never, { force: true })).toEqual({ type: "failed", message });
    expect(events.at(-1)).toEqual({ type: "compaction-failed", compactionId: "k1", message });
    expect(history.messages).toEqual(before);
  });

  test("to come to an end is not waited for", async () => {
    const script = [[repeat(100, text("x".repeat(1_000))), stall()]];
    const { compactor, history } = open(turns(12, 2_500), { script });

    expect(await compactor.fit(never)).toMatchObject({ type: "compacted" });
    expect(saidLast(history.messages.slice(0, 1))).toContain("[… the rest of the summary was too long …]");
  });

  test("three times in a row is not tried again until somebody wishes it", async () => {
    const broken = [fail("bad-request", "No such thing.")];
    const script: Script = [broken, broken, broken, [text("At last.")], broken];
    const { compactor, model, add } = open(turns(12, 2_500), { script });

    const outcomes = [];
    for (const force of [false, false, false, false, true]) outcomes.push((await compactor.fit(never, { force })).type);
    add(turns(12, 2_500, "later"));
    outcomes.push((await compactor.fit(never)).type);

    expect(outcomes).toEqual(["failed", "failed", "failed", "nothing", "compacted", "failed"]);
    expect(model.asked).toHaveLength(5);
  });

  test("and may succeed later is tried again, and is no reason to stop trying", async () => {
    const busy = [fail("overloaded", "Busy.")];
    const many: Script = Array.from({ length: 12 }, () => busy);
    const { compactor, model } = open(turns(12, 2_500), { script: [busy, busy, [text("At last.")]] });
    expect((await compactor.fit(never)).type).toBe("compacted");
    expect(model.asked).toHaveLength(3);

    const other = open(turns(12, 2_500), { script: many });
    for (let time = 0; time < 4; time++) expect((await other.compactor.fit(never)).type).toBe("failed");
    expect(other.model.asked).toHaveLength(12);
  });

  test("because it was cancelled changes nothing, counts as no failure, and ends at once", async () => {
    const { compactor, events, history } = open(turns(12, 2_500), {
      script: [[text("All"), stall()], [text("x"), stall()], [text("x"), stall()], [text("Done.")]],
    });
    const before = history.messages;

    for (let attempt = 0; attempt < 3; attempt++) {
      const controller = new AbortController();
      const outcome = compactor.fit(controller.signal);
      await new Promise(setImmediate);
      controller.abort();
      expect(await outcome).toEqual({ type: "cancelled" });
    }

    expect(history.messages).toEqual(before);
    expect(events.slice(0, 2)).toEqual([
      { type: "compacting", compactionId: "k1" },
      { type: "compaction-failed", compactionId: "k1", message: "The summary was cancelled." },
    ]);
    expect(await compactor.fit(AbortSignal.abort(), { force: true })).toEqual({ type: "cancelled" });
    expect(await compactor.fit(never)).toMatchObject({ type: "compacted" });
  });
});

interface Given extends Partial<Pick<CompactionRoom, "compactAt" | "lastCount">>, Partial<ModelInfo> {
  readonly script?: Script;
}

function open(entries: readonly EntryBody[], given: Given = {}) {
  const { script = [], compactAt = 0.8, lastCount = () => undefined, ...info } = given;
  const history: History = foldHistory(entries);
  const read = new ReadMessages();
  const model = scriptedModel(script, { info: { ...WINDOW, ...info } });
  const events: SessionEvent[] = [];
  const used: Usage[] = [];
  let compactions = 0;
  const compactor = new Compactor({
    compactAt,
    retry: { attempts: 3, baseMs: 1, maxMs: 1, budgetMs: 100 },
    lastCount,
    model: () => model,
    request: () => ({ system: "", tools: [], messages: read.of(history.messages) }),
    compactionId: () => `k${++compactions}`,
    record(event) {
      history.add(event);
      events.push(event);
      return undefined;
    },
    async tell(event) {
      events.push(event);
    },
    async used(usage) {
      used.push(usage);
    },
  });
  const add = (more: readonly EntryBody[]): void => {
    for (const entry of more) history.add(entry);
  };
  return { compactor, events, model, history, used, add };
}

/** Turns in which words are exchanged; the last is open. */
function turns(count: number, chars: number, name = "t"): EntryBody[] {
  return Array.from({ length: count }, (_, at): EntryBody[] => {
    const turnId = `${name}${at + 1}`;
    const ended: EntryBody = { type: "turn-ended", turnId: turnId as TurnId, outcome: { type: "ended" } };
    return [
      prompt(turnId, "Go on."),
      { type: "text", messageId: `of-${turnId}-m` as MessageId, text: "x".repeat(chars) },
      ...(at === count - 1 ? [] : [ended]),
    ];
  }).flat();
}

/** One open turn in which files are read. */
function steps(count: number, chars: number, turnId = "t1", lastChars = chars): EntryBody[] {
  const all = Array.from({ length: count }, (_, at): EntryBody[] => {
    const callId = `${turnId}-c${at + 1}` as CallId;
    const view: CallView = {
      callId,
      name: "read_file",
      title: "",
      kind: "read",
      locations: [],
      input: {},
      content: [],
    };
    const messageId = `${turnId}-m${at + 1}` as MessageId;
    const told = [textPart("x".repeat(at < count - 5 ? chars : lastChars))];
    return [
      { type: "call", messageId, call: view, rawInput: '{"file_path":"a.ts"}' },
      { type: "call-ended", callId, failed: false, told },
    ];
  });
  return [prompt(turnId, "Read everything."), ...all.flat()];
}

function prompt(turnId: string, said: string): EntryBody {
  const message = { role: "user", id: `of-${turnId}` as MessageId, parts: [textPart(said)] } as const;
  return { type: "prompt", turnId: turnId as TurnId, message };
}

function saidLast(messages: readonly Message[] | undefined): string {
  const [part] = messages?.at(-1)?.parts ?? [];
  return part?.type === "text" ? part.text : "";
}
