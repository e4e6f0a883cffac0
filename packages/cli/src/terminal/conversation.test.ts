import { type AcpClient, type ContentBlock, RpcError, type SessionUpdate, type StopReason } from "@agentao/acp";
import { expect, test } from "vitest";
import { Conversation, type Entry, toWords } from "./conversation.ts";

interface Sent {
  readonly sessionId: string;
  readonly blocks: readonly ContentBlock[];
  readonly signal: AbortSignal;
  end(stopReason: StopReason): void;
  fail(cause: Error): void;
}

function open() {
  const sent: Sent[] = [];
  const clock = { ms: 0 };
  let changes = 0;
  const client = {
    prompt: (sessionId: string, blocks: readonly ContentBlock[], { signal }: { signal: AbortSignal }) => {
      const result = new Promise((resolve, reject) => {
        sent.push({ sessionId, blocks, signal, end: (stopReason) => resolve({ stopReason }), fail: reject });
        signal.addEventListener("abort", () => resolve({ stopReason: "cancelled" }));
      });
      return { result };
    },
  } as unknown as AcpClient;
  const session = { sessionId: "s1", cwd: "/w", configOptions: [], modeId: "ask", modeIds: [] };
  const conversation = new Conversation(client, session, { now: () => clock.ms, onChange: () => changes++ });
  return { conversation, sent, clock, changed: () => changes };
}

const say = (text: string) => ({ text, blocks: [{ type: "text" as const, text }] });
const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});

function told(conversation: Conversation): string[] {
  return conversation.entries.map((entry: Entry) => {
    if (entry.type === "note")
      return entry.note.type === "note" ? `${entry.note.severity}: ${entry.note.text}` : entry.note.type;
    const item = conversation.item(entry.index);
    if (item?.type !== "message") return item?.type ?? "nothing";
    return `${item.from}: ${item.content.map((one) => (one.type === "text" ? one.text : one.type)).join("")}`;
  });
}

test("shows what was typed, what came back, and what this program says, in that order", async () => {
  const { conversation, sent } = open();
  const turn = conversation.prompt(say("hi"));
  conversation.hear("s1", chunk("hel"));
  conversation.hear("other", chunk("not ours"));
  conversation.say("in between");
  conversation.hear("s1", chunk("lo"));
  sent[0]?.end("end_turn");
  await turn;
  expect(told(conversation)).toEqual(["user: hi", "agent: hello", "info: in between"]);
  expect(conversation.runningMs).toBeUndefined();
});

test("does not show a prompt twice when the agent tells it back", async () => {
  const { conversation, sent } = open();
  const turn = conversation.prompt(say("hi"));
  conversation.hear("s1", { sessionUpdate: "user_message_chunk", content: { type: "text", text: "hi" } });
  sent[0]?.end("end_turn");
  await turn;
  expect(told(conversation)).toEqual(["user: hi"]);
});

test("sends what was typed during a turn after it", async () => {
  const { conversation, sent } = open();
  const turn = conversation.prompt(say("one"));
  await conversation.prompt(say("two"));
  expect(sent).toHaveLength(1);
  expect(conversation.queue).toEqual([say("two")]);
  sent[0]?.end("end_turn");
  await Promise.resolve();
  while (sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
  sent[1]?.end("end_turn");
  await turn;
  expect(sent.map(({ blocks }) => blocks)).toEqual([say("one").blocks, say("two").blocks]);
  expect(told(conversation)).toEqual(["user: one", "user: two"]);
});

test("gives back what waits when the turn is cancelled, and says that it was", async () => {
  const { conversation, sent } = open();
  const turn = conversation.prompt(say("one"));
  await conversation.prompt(say("two"));
  expect(conversation.cancel()).toEqual([say("two")]);
  await turn;
  expect(sent[0]?.signal.aborted).toBe(true);
  expect(told(conversation)).toEqual(["user: one", "warning: Stopped."]);
});

test.each([
  ["a failure in words", [], ["user: hi", "error: no key"]],
  ["a failure once, where the agent has said it", [chunk("Error: no key")], ["user: hi", "agent: Error: no key"]],
])("tells %s", async (_, updates, lines) => {
  const { conversation, sent } = open();
  const turn = conversation.prompt(say("hi"));
  for (const update of updates) conversation.hear("s1", update);
  sent[0]?.fail(new RpcError(-32000, "no key"));
  await turn;
  expect(told(conversation)).toEqual(lines);
});

test("does not leave a call open that a failed turn has left behind", async () => {
  const { conversation, sent } = open();
  const turn = conversation.prompt(say("hi"));
  conversation.hear("s1", { sessionUpdate: "tool_call", toolCallId: "a", title: "A", status: "completed" });
  conversation.hear("s1", { sessionUpdate: "tool_call", toolCallId: "b", title: "B", status: "in_progress" });
  sent[0]?.fail(new RpcError(-32000, "gone"));
  await turn;
  const statuses = conversation.transcript.items.flatMap((item) => (item.type === "tool-call" ? [item.status] : []));
  expect(statuses).toEqual(["completed", "failed"]);
});

test("knows the mode before plan mode, however that was entered", () => {
  const { conversation } = open();
  expect(conversation.modeBeforePlan).toBe("ask");
  for (const currentModeId of ["full", "plan"])
    conversation.hear("s1", { sessionUpdate: "current_mode_update", currentModeId });
  expect([conversation.modeId, conversation.modeBeforePlan]).toEqual(["plan", "full"]);
});

test("times thoughts until the next item, and calls from when they run", async () => {
  const { conversation, sent, clock } = open();
  const turn = conversation.prompt(say("hi"));
  const look = (update: SessionUpdate, ms: number) => {
    clock.ms = ms;
    conversation.hear("s1", update);
    return conversation.entries.length;
  };
  look({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } }, 100);
  expect(conversation.span(1)).toEqual({ type: "running" });
  look({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "pending" }, 3_100);
  expect(conversation.span(1)).toEqual({ type: "took", ms: 3_000 });
  look({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "in_progress" }, 9_000);
  look({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }, 9_250);
  expect(conversation.span(2)).toEqual({ type: "took", ms: 250 });
  expect(conversation.span(2)).toBe(conversation.span(2));
  sent[0]?.end("end_turn");
  await turn;
});

test("takes no time of a call for the person's, where it was refused or asks", async () => {
  const { conversation, sent, clock } = open();
  const turn = conversation.prompt(say("hi"));
  conversation.hear("s1", { sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "pending" });
  expect(conversation.entries).toHaveLength(2);
  expect(conversation.span(1)).toEqual({ type: "running" });
  clock.ms = 60_000;
  conversation.hear("s1", { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" });
  conversation.hear("s1", { sessionUpdate: "tool_call", toolCallId: "d", title: "Which?", name: "ask_user" });
  conversation.hear("s1", { sessionUpdate: "tool_call_update", toolCallId: "d", status: "in_progress" });
  expect(conversation.entries).toHaveLength(3);
  clock.ms = 90_000;
  conversation.hear("s1", { sessionUpdate: "tool_call_update", toolCallId: "d", status: "completed" });
  sent[0]?.end("end_turn");
  await turn;
  expect([conversation.span(1), conversation.span(2)]).toEqual([undefined, undefined]);
});

test("is stopping from when it was told to until it has stopped", async () => {
  const { conversation } = open();
  const turn = conversation.prompt(say("hi"));
  expect(conversation.isStopping).toBe(false);
  conversation.cancel();
  expect(conversation.isStopping).toBe(true);
  await turn;
  expect(conversation.isStopping).toBe(false);
});

test.each<[unknown, string]>([
  [new RpcError(-32602, "Invalid params: session/prompt.prompt: nothing was said"), "prompt: nothing was said"],
  [new RpcError(-32602, "Invalid params: there is no such mode"), "there is no such mode"],
  [new RpcError(-32000, "no key"), "no key"],
  [new Error("gone"), "gone"],
  ["odd", "odd"],
])("tells %s in the words of a person", (cause, words) => {
  expect(toWords(cause)).toBe(words);
});

test("puts another session in the place of this one, with what it replays", async () => {
  const { conversation } = open();
  conversation.hear("s1", chunk("old"));
  expect(told(conversation)).toEqual(["agent: old"]);
  await conversation.replace("s2", async () => {
    conversation.hear("s2", { sessionUpdate: "user_message_chunk", content: { type: "text", text: "earlier" } });
    conversation.hear("s2", chunk("answer"));
    return { sessionId: "s2", cwd: "/w", configOptions: [], modeId: "plan", modeIds: [] };
  });
  expect(told(conversation)).toEqual(["user: earlier", "agent: answer"]);
  expect([conversation.sessionId, conversation.modeId]).toEqual(["s2", "plan"]);
});

test("stays where it is when the other session cannot be had", async () => {
  const { conversation } = open();
  conversation.hear("s1", chunk("old"));
  await expect(conversation.replace("s2", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  conversation.hear("s1", { sessionUpdate: "notice", severity: "info", title: "still here" });
  expect(told(conversation)).toEqual(["agent: old", "notice"]);
  expect(conversation.sessionId).toBe("s1");
});

test("grows a note in its place", () => {
  const { conversation } = open();
  const write = conversation.sayGrowing("$ ls");
  conversation.say("after");
  write("$ ls\na.txt");
  expect(told(conversation)).toEqual(["info: $ ls\na.txt", "info: after"]);
});
