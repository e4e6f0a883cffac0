import type { ToolCallContent, ToolCallItem } from "@agentao/acp";
import { describe, expect, test } from "vitest";
import { createMarkdown } from "./markdown.ts";
import { createPaint } from "./paint.ts";
import type { Span, ViewRoom } from "./room.ts";
import { toolCallView } from "./tool-call.ts";

function room(width: number, opens = { thoughts: false, calls: false }): ViewRoom {
  const paint = createPaint(false);
  return { width, paint, markdown: createMarkdown(paint), cwd: "/w", opens };
}

const OPEN = { thoughts: true, calls: true };

function call(change: Partial<ToolCallItem> = {}): ToolCallItem {
  return {
    type: "tool-call",
    toolCallId: "c1",
    title: "Edit /w/src/a.ts",
    name: "replace",
    kind: "edit",
    status: "completed",
    content: [{ type: "diff", path: "/w/src/a.ts", oldText: "a\nb\n", newText: "a\nB\n" }],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    ...change,
  };
}

const said = (text: string): ToolCallContent => ({ type: "content", content: { type: "text", text } });
const denied = (because: string, rule?: string): Partial<ToolCallItem> => ({
  status: "failed",
  content: [said(`Not run: ${because}.`)],
  _meta: { "_agentao.cn/denial": { by: "rule", because, rule } },
});
const reading = (text: string) => call({ title: "Read /w/src/a.ts", kind: "read", content: [said(text)] });
const making = (change: Partial<ToolCallItem>) =>
  call({ title: "make", kind: "execute", rawInput: { command: "make" }, ...change });
const took = (ms: number): Span => ({ type: "took", ms });

describe("shows", () => {
  test.each<[string, ToolCallItem, Span, ViewRoom, string[]]>([
    ["a call, closed", call(), took(200), room(40), ["✓ Edit src/a.ts              +1 −1 0.2 s"]],
    ["a call in 16 columns", call(), took(200), room(16), ["✓ Edit src/a.ts"]],
    ["a call too short to time", call({ content: [] }), took(20), room(40), ["✓ Edit src/a.ts"]],
    [
      "a call that the person has refused",
      call(denied("the person rejected it")),
      undefined,
      room(40),
      ["✗ Edit src/a.ts", "  refused by you"],
    ],
    [
      "a command that the person has refused, open",
      call({
        ...denied("the person rejected it"),
        title: "rm x",
        kind: "execute",
        rawInput: { command: "rm x" },
      }),
      undefined,
      room(40, OPEN),
      ["✗ rm x", "  $ rm x", "  refused by you"],
    ],
    [
      "a call that a rule has refused",
      call(denied("a rule (no-secrets) says deny", "no-secrets")),
      undefined,
      room(40),
      ["✗ Edit src/a.ts", "  refused by a rule: no-secrets"],
    ],
    [
      "a call that the person has refused for good",
      call(denied("the person said to always reject `rm x` in this session")),
      undefined,
      room(80),
      ["✗ Edit src/a.ts", "  refused: you said to always reject `rm x` in this session"],
    ],
    [
      "a call that a mode has refused",
      call(denied("read-only mode allows nothing but looking")),
      undefined,
      room(60),
      ["✗ Edit src/a.ts", "  refused: read-only mode allows nothing but looking"],
    ],
    ["nothing of a plan that was written", call({ name: "todo_write" }), undefined, room(40), []],
    [
      "a plan that could not be written",
      call({ name: "todo_write", status: "failed", title: "Update the task list", content: [said("Error: too long")] }),
      undefined,
      room(40),
      ["✗ Update the task list", "  Error: too long"],
    ],
    [
      "a plan that was written, open",
      call({ name: "todo_write", title: "Update the task list", content: [said("3 tasks")] }),
      undefined,
      room(40, OPEN),
      ["✓ Update the task list", "  3 tasks"],
    ],
    [
      "a call, open, with its diff",
      call(),
      undefined,
      room(40, OPEN),
      ["✓ Edit src/a.ts                    +1 −1", "  1   a", "  2 - b", "  2 + B"],
    ],
    [
      "a command, open, with its output",
      call({
        title: "npm test",
        kind: "execute",
        rawInput: { command: "npm test" },
        content: [{ type: "content", content: { type: "text", text: "\u001b[32mok\u001b[0m\n" } }],
      }),
      undefined,
      room(40, OPEN),
      ["✓ npm test", "  $ npm test", "  ok"],
    ],
    [
      "what a command said, without marks around it and without the command again",
      call({
        title: "seq 3",
        kind: "execute",
        rawInput: { command: "seq 3" },
        content: [said("```sh\nseq 3\n```"), said("```\n1\n2\n\n```\n")],
      }),
      undefined,
      room(40, OPEN),
      ["✓ seq 3", "  $ seq 3", "  1", "  2"],
    ],
    [
      "two code blocks as they are",
      call({ title: "x", kind: "read", content: [said("```\na\n```\n```\nb\n```")] }),
      undefined,
      room(40, OPEN),
      ["✓ x", "  ```", "  a", "  ```", "  ```", "  b", "  ```"],
    ],
    [
      "how much was read",
      reading("```ts\na\nb\n```"),
      undefined,
      room(40),
      ["✓ Read src/a.ts                  2 lines"],
    ],
    ["a line that was read", reading("a"), took(240), room(40), ["✓ Read src/a.ts           1 line · 0.2 s"]],
    [
      "what a command said in a word",
      call({ title: "git branch", kind: "execute", content: [said("```\nmain\n```")] }),
      undefined,
      room(40),
      ["✓ git branch                        main"],
    ],
    [
      "less of what came of it where there is no room",
      call({ title: "git log --oneline --all --graph", kind: "execute", content: [said("a\nb")] }),
      took(1_500),
      room(40),
      ["✓ git log --oneline --all --graph  1.5 s"],
    ],
    [
      "the end of a long path",
      call({
        title: "Read /w/packages/cli/src/terminal/view/item.ts",
        locations: [{ path: "/w/packages/cli/src/terminal/view/item.ts" }],
        content: [],
      }),
      undefined,
      room(31),
      ["✓ Read …/terminal/view/item.ts"],
    ],
    ["a call that waits", call({ status: "pending", content: [] }), undefined, room(40), ["○ Edit src/a.ts"]],
    [
      "a call that runs",
      call({ status: "in_progress", content: [] }),
      { type: "running" },
      room(40),
      ["● Edit src/a.ts"],
    ],
    [
      "the last line of a command that runs",
      call({ status: "in_progress", kind: "execute", title: "make", content: [said("```\none\n  two \n\n```")] }),
      { type: "running" },
      room(40),
      ["● make", "  two"],
    ],
    [
      "nothing of a command that has said nothing",
      call({
        status: "in_progress",
        kind: "execute",
        title: "make",
        rawInput: { command: "make" },
        content: [said("```sh\nmake\n```")],
      }),
      { type: "running" },
      room(40),
      ["● make"],
    ],
    [
      "why a call failed",
      call({
        status: "failed",
        content: [said("no such\n/w/file\nas this\nmore")],
      }),
      undefined,
      room(40),
      ["✗ Edit src/a.ts", "  no such", "  file", "  as this…"],
    ],
    [
      "why a command failed, at its end",
      making({ status: "failed", content: [said("1\n2\nmake: no rule\n\nExit code: 2")] }),
      undefined,
      room(40),
      ["✗ make", "  …", "  make: no rule", "  Exit code: 2"],
    ],
    [
      "a command that was stopped before it began",
      making({ status: "failed", content: [said("make")] }),
      undefined,
      room(40),
      ["✗ make"],
    ],
  ])("%s", (_, item, span, where, lines) => {
    expect(toolCallView(item, span, where)).toEqual(lines);
  });
});
