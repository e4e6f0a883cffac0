// todo_write: replaces the session's plan.

import { text } from "../../message/message.ts";
import { firstLine } from "../cut.ts";
import { defineInput, type InputOf, list, object, oneOf, string, withDefault } from "../input.ts";
import { defineTool } from "../tool.ts";

/** A plan goes to the client in one piece. */
const MAX_TODOS = 64;
const CONTENT_CHARS = 300;

const input = defineInput({
  todos: list(
    object({
      content: string("What is to be done, in one line", { aliases: ["task", "title", "text", "description"] }),
      status: withDefault(
        oneOf(["pending", "in_progress", "completed"], "Where it stands", {
          synonyms: {
            todo: "pending",
            open: "pending",
            doing: "in_progress",
            active: "in_progress",
            done: "completed",
          },
        }),
        "pending",
      ),
      priority: withDefault(oneOf(["high", "medium", "low"], "How much it matters"), "medium"),
    }),
    "The whole list; it replaces the one before",
    { maximum: MAX_TODOS, aliases: ["tasks", "items", "plan"] },
  ),
});

type Input = InputOf<typeof input>;

export const todoWrite = defineTool<Input>({
  name: "todo_write",
  description:
    "Shows the person the list of tasks for work that has several steps. Send the whole list each time; keep one task " +
    "in_progress, and mark a task completed as soon as it is.",
  inputSchema: input.schema,
  parse: input.parse,
  plan: () => ({ title: "Update the task list", kind: "think", locations: [], effect: { type: "session" } }),
  async run({ todos }, room) {
    room.setPlan(todos.map((todo) => ({ ...todo, content: firstLine(todo.content, CONTENT_CHARS) })));
    const count = (status: Input["todos"][number]["status"]): number =>
      todos.filter((todo) => todo.status === status).length;
    const counts = `${count("completed")} completed, ${count("in_progress")} in progress, ${count("pending")} pending`;
    return { told: [text(`Todo list updated: ${todos.length} task(s) (${counts})`)] };
  },
});
