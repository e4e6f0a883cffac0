import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallView } from "../event/event.ts";
import type { CallId, MessageId, TurnId } from "../id/id.ts";
import type { EntryBody } from "../journal/entry.ts";
import { History } from "../journal/fold.ts";
import { text } from "../message/message.ts";
import type { ModelRequest } from "../model/model.ts";
import { ReadMessages } from "./read-messages.ts";
import { buildRequest } from "./request.ts";
import { systemPrompt } from "./system-prompt.ts";

const place = { cwd: "/home/ada/project", roots: ["/home/ada/project"] };

describe("the system prompt", () => {
  test("takes no more than 6,000 characters where nobody gives instructions", () => {
    const prompt = systemPrompt({ ...place, platform: "linux" });
    expect(prompt.length).toBeGreaterThan(2_500);
    expect(prompt.length).toBeLessThanOrEqual(6_000);
  });

  test("ends in what differs from session to session, and depends on nothing else", () => {
    const [one, other] = ["/a", "/b"].map((cwd) => systemPrompt({ cwd, roots: [cwd], instructions: "Use npm." }));
    const at = one?.indexOf("Working directory: /a") ?? -1;
    expect(at).toBeGreaterThan(2_500);
    expect(other).toBe(`${one?.slice(0, at)}Working directory: /b${one?.slice(at + "Working directory: /a".length)}`);
  });

  test("says nothing of folders, platform and instructions there are not", () => {
    const prompt = systemPrompt({ ...place, instructions: "" });
    expect(prompt.endsWith("\n\n# This session\nWorking directory: /home/ada/project")).toBe(true);
  });
});

test("a request carries only the settings that were made", () => {
  expect(Object.keys(buildRequest({ ...place, messages: [], tools: [] }))).toEqual(["system", "messages", "tools"]);
});

test("each step of a turn, and each turn, sees the whole of what the one before saw", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat({ max: 3 }), { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (turns) => {
      const requests = requestsOf(turns);
      for (const [at, later] of requests.entries()) {
        const earlier = requests[at - 1];
        if (earlier === undefined) continue;
        expect(later.system).toBe(earlier.system);
        expect(later.messages.length).toBeGreaterThan(earlier.messages.length);
        expect(JSON.stringify(later.messages.slice(0, earlier.messages.length))).toBe(JSON.stringify(earlier.messages));
      }
    }),
  );
});

test("what was rendered once is the same object in the next request", () => {
  const [first, second] = requestsOf([[1]]);
  expect(second?.messages[0]).toBe(first?.messages[0]);
});

/** The requests of a session: of each turn, the number of calls of each step; the last step of a turn only talks. */
function requestsOf(turns: readonly (readonly number[])[]): ModelRequest[] {
  const history = new History();
  const read = new ReadMessages();
  const requests: ModelRequest[] = [];
  let count = 0;
  const ask = () => {
    requests.push(buildRequest({ ...place, messages: read.of(history.messages), tools: [] }));
    return `m${++count}` as MessageId;
  };
  for (const [number, steps] of turns.entries()) {
    const turnId = `t${number}` as TurnId;
    history.add({
      type: "prompt",
      turnId,
      message: { role: "user", id: `p${number}` as MessageId, parts: [text("Go")] },
    });
    history.add({ type: "aside", text: `<context>\nDate: 2026-03-0${number + 1}\n</context>` });
    for (const calls of steps) {
      const messageId = ask();
      history.add({ type: "text", messageId, text: "I look." });
      for (let call = 0; call < calls; call++) for (const entry of callEntries(messageId, call)) history.add(entry);
    }
    const messageId = ask();
    history.add({ type: "text", messageId, text: "Done." });
    history.add({ type: "turn-ended", turnId, outcome: { type: "ended" } });
  }
  return requests;
}

function callEntries(messageId: MessageId, call: number): EntryBody[] {
  const callId = `${messageId}-${call}` as CallId;
  const view: CallView = { callId, name: "look", title: "", kind: "read", locations: [], input: {}, content: [] };
  return [
    { type: "call", messageId, call: view, rawInput: "{}" },
    { type: "call-running", callId },
    { type: "call-ended", callId, failed: false, told: [text("nothing")] },
  ];
}
