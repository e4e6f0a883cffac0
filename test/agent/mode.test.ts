// What each mode means, for every tool. "runs", "asks" and "refuses" is all that can happen to a call.

import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";
import { only } from "./seen.ts";
import { fetchTool, testTool } from "./tools.ts";

const calls = {
  read_file: call("read_file", { file_path: "a.txt" }),
  list_directory: call("list_directory"),
  todo_write: call("todo_write", { todos: [] }),
  ask_user: call("ask_user", { question: "Well?" }),
  "a command that looks": call("run_shell_command", { command: "cat a.txt | grep one" }),
  write_file: call("write_file", { file_path: "b.txt", content: "b" }),
  replace: call("replace", { file_path: "a.txt", old_text: "one", new_text: "1" }),
  "a command that acts": call("run_shell_command", { command: "touch made" }),
  "a write of what runs": call("write_file", { file_path: ".git/hooks/x", content: "b" }),
  "a tool that says it only looks": call("looker"),
  "a tool of which nobody knows": call("actor"),
  "a fetch": call("fetch_page", { url: "https://a.test/" }),
} as const;

type Fate = "runs" | "asks" | "refuses";

const looking = {
  read_file: "runs",
  list_directory: "runs",
  todo_write: "runs",
  ask_user: "runs",
  "a command that looks": "runs",
  "a tool that says it only looks": "runs",
} as const;

const acting = {
  write_file: "refuses",
  replace: "refuses",
  "a command that acts": "refuses",
  "a write of what runs": "refuses",
  "a tool of which nobody knows": "refuses",
} as const;

const fates: Readonly<Record<string, Record<keyof typeof calls, Fate>>> = {
  "read-only": { ...looking, ...acting, "a fetch": "asks" },
  plan: { ...looking, ...acting, "a fetch": "asks" },
  "workspace-write": {
    ...looking,
    write_file: "runs",
    replace: "runs",
    "a command that acts": "asks",
    "a write of what runs": "asks",
    "a tool of which nobody knows": "asks",
    "a fetch": "asks",
  },
  "full-access": {
    ...looking,
    write_file: "runs",
    replace: "runs",
    "a command that acts": "runs",
    "a write of what runs": "runs",
    "a tool of which nobody knows": "runs",
    "a fetch": "runs",
  },
};

test.each(Object.keys(fates))("%s (Z-14)", async (modeId) => {
  await using scripted = await connectScripted({
    script: [Object.values(calls), [text("ok")]],
    answer: "reject_once",
    handlers: { extRequests: { "_agentao.cn/ask_user": () => ({ answer: "yes" }) } },
    runtime: {
      tools: [
        fetchTool(),
        testTool("looker", { type: "other", readOnly: true }, async () => "seen"),
        testTool("actor", { type: "other", readOnly: false }, async () => "done"),
      ],
    },
  });
  await scripted.put("a.txt", "one\n");
  const sessionId = await scripted.open();
  await scripted.client.setMode(sessionId, modeId);

  const { updates } = await scripted.prompt(sessionId, "go");

  const asked = new Set(scripted.asked.map(({ toolCall }) => toolCall.toolCallId));
  const ran = new Set(
    only(updates, "tool_call_update").flatMap(({ toolCallId, status }) =>
      status === "in_progress" ? [toolCallId] : [],
    ),
  );
  const fateOf = (id: string): Fate => (asked.has(id) ? "asks" : ran.has(id) ? "runs" : "refuses");
  const seen = Object.fromEntries(Object.keys(calls).map((name, at) => [name, fateOf(`call_${at + 1}`)]));
  expect(seen).toEqual(fates[modeId]);
});

test("a write outside the session's folders is refused, and nobody is asked in vain (C-150)", async () => {
  await using elsewhere = await connectScripted({ script: [] });
  const outside = await elsewhere.folder("elsewhere");
  await using asking = await connectScripted({
    script: [[call("write_file", { file_path: `${outside}/a.txt`, content: "a" })], [text("ok")]],
    answer: "allow_once",
  });

  const { updates } = await asking.prompt(await asking.open(), "go");

  expect(asking.asked).toHaveLength(0);
  expect(only(updates, "tool_call_update").at(-1)?.status).toBe("failed");
});
