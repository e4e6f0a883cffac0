import type { ClientHandlers, RequestPermissionRequest, ToolCallItem } from "@agentao/acp";
import { expect, test } from "vitest";
import { type Asker, type Question, Questions } from "./question.ts";

type Ask = (params: never, context: { signal: AbortSignal }) => Promise<unknown>;

function open(asker: Asker = { findCall: () => undefined }) {
  let changes = 0;
  const questions = new Questions(() => {
    changes++;
  });
  const handlers: ClientHandlers = questions.handlers(asker);
  const ask = (handler: unknown, params: unknown, signal: AbortSignal = new AbortController().signal) =>
    (handler as Ask)(params as never, { signal });
  return { questions, handlers, ask, changed: () => changes };
}

const permission: RequestPermissionRequest = {
  sessionId: "s",
  toolCall: { toolCallId: "c" },
  options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
};

const FORM = {
  mode: "form",
  sessionId: "s",
  message: "Which?",
  requestedSchema: { type: "object", properties: { answer: { type: "string", enum: ["a"] } }, required: ["answer"] },
};

function settle(question: Question | undefined, answer: unknown): void {
  if (question === undefined) throw new Error("nothing is asked");
  (question.settle as (answer: unknown) => void)(answer);
}

test("answers questions in the order in which they came", async () => {
  const { questions, handlers, ask, changed } = open();
  const first = ask(handlers.requestPermission, permission);
  const second = ask(handlers.createElicitation, FORM);
  expect(questions.first).toMatchObject({ type: "permission", request: permission });
  settle(questions.first, "yes");
  expect(await first).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
  expect(questions.first).toMatchObject({ type: "form", message: "Which?" });
  settle(questions.first, { answer: "a" });
  expect(await second).toEqual({ action: "accept", content: { answer: "a" } });
  expect(questions.first).toBeUndefined();
  expect(changed()).toBe(4);
});

test.each([
  [
    "a permission",
    (handlers: ClientHandlers) => handlers.requestPermission,
    permission,
    { outcome: { outcome: "cancelled" } },
  ],
  ["a form", (handlers: ClientHandlers) => handlers.createElicitation, FORM, { action: "decline" }],
  [
    "a question of agentao's own method",
    (handlers: ClientHandlers) => handlers.extRequests?.["_agentao.cn/ask_user"],
    { question: "Q" },
    { outcome: "cancelled" },
  ],
])("takes %s away when its turn ends", async (_, handlerOf, params, answer) => {
  const { questions, handlers, ask } = open();
  const turn = new AbortController();
  const asked = ask(handlerOf(handlers), params, turn.signal);
  expect(questions.first).toBeDefined();
  turn.abort();
  expect(await asked).toEqual(answer);
  expect(questions.first).toBeUndefined();
});

test("joins what was chosen and what was written for agentao's own method", async () => {
  const { questions, handlers, ask } = open();
  const asked = ask(handlers.extRequests?.["_agentao.cn/ask_user"], {
    question: "Q",
    options: ["a", "b"],
    multiple: true,
  });
  settle(questions.first, { answer: ["a", "b"], other: "c" });
  expect(await asked).toEqual({ outcome: "answered", text: "a, b, c" });
});

const KNOWN = {
  type: "tool-call",
  toolCallId: "c",
  title: "Edit a.ts",
  content: [{ type: "diff", path: "/a.ts", newText: "x" }],
  rawInput: { path: "/a.ts" },
} as unknown as ToolCallItem;

test.each<[string, Asker, object, object]>([
  [
    "fills in what was told of a call before",
    { findCall: (id) => (id === "c" ? KNOWN : undefined) },
    {},
    { title: "Edit a.ts", content: KNOWN.content, rawInput: KNOWN.rawInput },
  ],
  [
    "keeps what is told with the question",
    { findCall: () => KNOWN },
    { title: "Edit b.ts", rawInput: { path: "/b.ts" } },
    { title: "Edit b.ts", content: KNOWN.content, rawInput: { path: "/b.ts" } },
  ],
  ["has at least its id", { findCall: () => undefined }, {}, { title: "c" }],
  ["says who asks", { mark: "@bob", findCall: () => undefined }, { title: "Edit" }, { title: "@bob Edit" }],
])("%s", async (_, asker, toolCall, shown) => {
  const { questions, handlers, ask } = open(asker);
  void ask(handlers.requestPermission, { ...permission, toolCall: { toolCallId: "c", ...toolCall } });
  expect(questions.first).toMatchObject({ request: { toolCall: { toolCallId: "c", ...shown } } });
});

test("says who asks in a form, too", async () => {
  const { questions, handlers, ask } = open({ mark: "@bob", findCall: () => undefined });
  void ask(handlers.createElicitation, FORM);
  void ask(handlers.extRequests?.["_agentao.cn/ask_user"], { question: "Q" });
  expect(questions.first).toMatchObject({ message: "@bob Which?" });
  settle(questions.first, undefined);
  expect(questions.first).toMatchObject({ message: "@bob Q" });
});

test("opens no page", async () => {
  const { handlers, ask } = open();
  expect(await ask(handlers.createElicitation, { mode: "url", message: "m" })).toEqual({ action: "decline" });
});
