import { expect, test } from "vitest";
import type { Machine } from "../../machine/machine.ts";
import { text } from "../../message/message.ts";
import { planTool, runTool, scriptedRoom, told } from "../scripted-room.ts";
import type { PersonAnswer } from "../tool.ts";
import { askUser } from "./ask-user.ts";
import { todoWrite } from "./todo-write.ts";

// Neither of them acts on a machine.
const nowhere = {} as Machine;

test("todo_write replaces the plan, and tells how far it is", async () => {
  const room = scriptedRoom(nowhere, "/");
  const todos = [
    { content: "one", status: "done" },
    { content: "two\nmore", status: "in-progress", priority: "high" },
    { task: "three" },
  ];

  expect(await runTool(todoWrite, { todos }, room)).toEqual({
    told: [text("Todo list updated: 3 task(s) (1 completed, 1 in progress, 1 pending)")],
  });
  expect(room.plans).toEqual([
    [
      { content: "one", status: "completed", priority: "medium" },
      { content: "two…", status: "in_progress", priority: "high" },
      { content: "three", status: "pending", priority: "medium" },
    ],
  ]);
});

test("todo_write refuses a plan that is too long to be shown", () => {
  const todos = Array.from({ length: 65 }, () => ({ content: "x", status: "pending" }));

  expect(todoWrite.parse({ todos })).toEqual({ problem: "todos must have at most 64 items, not 65" });
});

test("ask_user asks with options in any form, and tells the answer", async () => {
  const room = scriptedRoom(nowhere, "/", { answer: { type: "answered", text: "blue", parts: ["blue"] } });
  const input = {
    question: "Which colour?",
    options: ["red", { label: "blue", description: "the sky" }],
    multiple: "no",
  };

  expect(planTool(askUser, input, room)).toEqual({
    title: "Which colour?",
    kind: "other",
    locations: [],
    effect: { type: "session" },
  });
  expect(await runTool(askUser, input, room)).toEqual({ told: [text("The user answered: blue")] });
  expect(room.questions).toEqual([
    { question: "Which colour?", header: undefined, options: ["red", "blue"], multiple: false, allowCustom: true },
  ]);
});

test.each<{ answer: PersonAnswer; failed: boolean; says: string }>([
  { answer: { type: "declined" }, failed: false, says: "The user declined to answer." },
  { answer: { type: "unavailable" }, failed: true, says: "[ask_user: not available in non-interactive mode]" },
])("ask_user invents no answer: $answer.type", async ({ answer, failed, says }) => {
  const outcome = await runTool(askUser, { question: "Which?" }, scriptedRoom(nowhere, "/", { answer }));

  expect(outcome.failed ?? false).toBe(failed);
  expect(told(outcome).startsWith(says)).toBe(true);
});
