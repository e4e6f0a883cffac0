// Calls of tools: how the client sees them come and go, and what the model is told of them.

import { join } from "node:path";
import { expect, test } from "vitest";
import { call, text } from "../../packages/agent/src/model/script.ts";
import { connectScripted } from "./connect-scripted.ts";
import { only, resultsOf } from "./seen.ts";

test("an edit: announced with its diff, running, completed with place and diff (C-220 … C-228, C-230)", async () => {
  const input = { file_path: "src/a.txt", old_text: "two", new_text: "2" };
  await using scripted = await connectScripted({ script: [[call("replace", input)], [text("ok")]] });
  const path = await scripted.put("src/a.txt", "one\ntwo\n");

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const diff = { type: "diff", path, oldText: "one\ntwo\n", newText: "one\n2\n" };
  expect(only(updates, "tool_call", "tool_call_update")).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      title: "Edit src/a.txt",
      name: "replace",
      kind: "edit",
      status: "pending",
      rawInput: input,
      locations: [{ path }],
      content: [diff],
    },
    { sessionUpdate: "tool_call_update", toolCallId: "call_1", status: "in_progress" },
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: "completed",
      content: [diff],
      locations: [{ path, line: 2 }],
      rawOutput: `Replaced 1 occurrence(s) in ${path}`,
    },
  ]);
  expect(resultsOf(scripted.model.asked[1])).toEqual([
    {
      role: "result",
      callId: "call_1",
      name: "replace",
      failed: false,
      parts: [{ type: "text", text: `Replaced 1 occurrence(s) in ${path}` }],
    },
  ]);
});

test("a read: what the person sees is the text, what the model is told has line numbers (C-228)", async () => {
  await using scripted = await connectScripted({
    script: [[call("read_file", { file_path: "a.txt", offset: 2, limit: 1 })], [text("ok")]],
  });
  const path = await scripted.put("a.txt", "one\ntwo\nthree\n");

  const told = `File: ${path} (3 lines)\nShowing lines 2-2\n\n     2\ttwo\n\n[Truncated: showing lines 2–2 of 3 total. Use offset=3 to continue reading.]`;
  const { transcript } = await scripted.prompt(await scripted.open(), "go");

  expect(transcript.items.filter(({ type }) => type === "tool-call")).toEqual([
    {
      type: "tool-call",
      toolCallId: "call_1",
      title: "Read a.txt:2-2",
      name: "read_file",
      kind: "read",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "```txt\ntwo\n```" } }],
      locations: [{ path, line: 2 }],
      rawInput: { file_path: "a.txt", offset: 2, limit: 1 },
      rawOutput: told,
    },
  ]);
  expect(resultsOf(scripted.model.asked[1])?.[0]?.parts).toEqual([
    {
      type: "text",
      text: told,
    },
  ]);
});

test("a command that fails: its output, its exit code, status failed", async () => {
  await using scripted = await connectScripted({
    script: [[call("run_shell_command", { command: "echo out; echo err >&2; exit 3" })], [text("ok")]],
    answer: "allow_once",
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(only(updates, "tool_call_update").at(-1)).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: "call_1",
    status: "failed",
    content: [
      { type: "content", content: { type: "text", text: "```\nout\nerr\n```" } },
      { type: "content", content: { type: "text", text: "Exit code: 3" } },
    ],
    rawOutput: "STDOUT:\nout\nerr\n\nExit code: 3",
  });
  expect(resultsOf(scripted.model.asked[1])?.[0]?.parts).toEqual([
    { type: "text", text: "STDOUT:\nout\nerr\n\nExit code: 3" },
  ]);
});

test("a tool nobody has, and input nobody understands, are told to the model", async () => {
  await using scripted = await connectScripted({
    script: [
      [
        call("fly", { to: "moon" }),
        call("read_file", "{nonsense"),
        call("read_file", {}),
        call("ReadFile", { path: "a.txt" }),
      ],
      [text("ok")],
    ],
  });
  await scripted.put("a.txt", "one\n");

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const told = resultsOf(scripted.model.asked[1])?.map(({ parts }) => (parts[0]?.type === "text" ? parts[0].text : ""));
  expect(told?.slice(0, 3)).toEqual([
    'There is no tool named "fly". The tools are: read_file, write_file, replace, list_directory, glob, search_file_content, run_shell_command, check_background_command, stop_background_command, todo_write, ask_user, web_fetch.',
    "The input is not valid JSON. Call the tool again with a complete JSON object.",
    "file_path is required",
  ]);
  expect(told?.[3]).toContain("\tone");
  expect(only(updates, "tool_call").map(({ title, kind, rawInput }) => [title, kind, rawInput])).toEqual([
    ["fly", "other", { to: "moon" }],
    ["read_file", "other", {}],
    ["read_file", "other", {}],
    ["Read a.txt", "read", { path: "a.txt" }],
  ]);
});

test("a plan is told whole each time, and not again when nothing changed (C-242)", async () => {
  const plan = (status: string) => call("todo_write", { todos: [{ content: "Look", status }, { content: "Write" }] });
  await using scripted = await connectScripted({
    script: [[plan("in_progress")], [plan("in_progress"), call("list_directory")], [plan("completed")], [text("ok")]],
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  const entries = (status: string) => [
    { content: "Look", priority: "medium", status },
    { content: "Write", priority: "medium", status: "pending" },
  ];
  expect(only(updates, "plan")).toEqual([
    { sessionUpdate: "plan", entries: entries("in_progress") },
    { sessionUpdate: "plan", entries: entries("completed") },
  ]);
});

test("calls without an id, or with one that was used, get ids of ours (C-220)", async () => {
  await using scripted = await connectScripted({
    script: [
      [
        call("list_directory", {}, "x"),
        call("read_file", { file_path: "a" }, "x"),
        call("todo_write", { todos: [] }, ""),
      ],
      [text("ok")],
    ],
  });

  const { updates } = await scripted.prompt(await scripted.open(), "go");

  expect(only(updates, "tool_call").map(({ toolCallId }) => toolCallId)).toEqual(["x", "ours_1", "ours_2"]);
});

test("the output of a command is shown while it runs, and the last update has all of it (C-196, C-222)", async () => {
  await using scripted = await connectScripted({
    script: [
      [call("run_shell_command", { command: "echo first; until [ -e go ]; do sleep 0.01; done; echo last" })],
      [text("ok")],
    ],
    answer: "allow_once",
  });
  const sessionId = await scripted.open();

  const turn = scripted.prompt(sessionId, "go");
  const shown = () => only(scripted.heardOf(sessionId), "tool_call_update").flatMap(({ content }) => content ?? []);
  await scripted.until(() => JSON.stringify(shown()).includes("first"));
  await scripted.put("go", "");
  await turn;

  expect(shown().at(0)).toEqual({ type: "content", content: { type: "text", text: "```\nfirst\n```" } });
  expect(shown().at(-1)).toEqual({ type: "content", content: { type: "text", text: "```\nfirst\nlast\n```" } });
});

test("relative paths start at the session's folder, wherever the process is (C-147, C-148)", async () => {
  await using scripted = await connectScripted({
    script: [[call("write_file", { file_path: "x.txt", content: "x" })], [text("ok")]],
  });
  const other = await scripted.folder("other");

  const { updates } = await scripted.prompt(await scripted.open({ additionalDirectories: [other] }), "go");

  expect(only(updates, "tool_call")[0]?.locations).toEqual([{ path: join(scripted.cwd, "x.txt") }]);
  expect(await scripted.get("x.txt")).toBe("x");
});

test("input that is nested without end, and a path no system opens, are refused, and the turn goes on", async () => {
  const nested = `{"file_path":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  await using scripted = await connectScripted({
    script: [
      [
        { type: "call", name: "read_file", input: nested },
        call("read_file", { file_path: "é".repeat(2_100) }),
        call("write_file", { file_path: `a${"/b".repeat(2_100)}`, content: "" }),
      ],
      [text("ok")],
    ],
  });

  const seen = await scripted.prompt(await scripted.open(), "go");

  expect(seen).toMatchObject({ stopReason: "end_turn", text: "ok" });
  expect(resultsOf(scripted.model.asked[1])).toMatchObject([
    {
      failed: true,
      parts: [{ type: "text", text: "The input is nested too deep. Call the tool again with a complete JSON object." }],
    },
    { failed: true, parts: [{ type: "text", text: "Error: The path is too long: it may have 4096 bytes at most" }] },
    { failed: true, parts: [{ type: "text", text: "Error: The path is too long: it may have 4096 bytes at most" }] },
  ]);
});

test("a title shows what a screen would hide or obey", async () => {
  await using scripted = await connectScripted({
    script: [
      [
        call("run_shell_command", { command: "touch a\u202e\u001b[2Kb" }),
        call("write_file", { file_path: ".git/a\nb\u2066", content: "" }),
      ],
      [text("ok")],
    ],
  });

  await scripted.prompt(await scripted.open(), "go");

  expect(scripted.asked.map(({ toolCall }) => toolCall.title)).toEqual([
    "touch a\\u202e\\u001b[2Kb",
    "Write .git/a⏎b\\u2066",
  ]);
});
