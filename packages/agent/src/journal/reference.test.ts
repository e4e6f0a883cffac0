import { describe, expect, test } from "vitest";
import type { Message } from "../message/message.ts";
import { text } from "../message/message.ts";
import { foldHistory } from "./fold.ts";
import { importHistory, type ReferenceSession, readReferenceSession } from "./reference.ts";

const reminder = "<system-reminder>\nToday is Monday.\n</system-reminder>\n\n";

describe("a session file of the reference system", () => {
  test("becomes the entries of a session", () => {
    const session = read({
      session_id: "5f0c6d5e-0000-4000-8000-000000000001",
      title: "What is in a.txt?",
      created_at: "2026-03-01T10:00:00.123456+02:00",
      updated_at: "2026-03-01T11:00:00+02:00",
      model: "gpt-5",
      active_skills: [],
      messages: [
        { role: "user", content: `${reminder}What is in a.txt?` },
        {
          role: "assistant",
          content: "I look.",
          reasoning_content: "I should look.",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "read_file", arguments: '{"file_path":"a.txt"}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", name: "read_file", content: "Error: File a.txt does not exist" },
        { role: "assistant", content: "Nothing." },
      ],
    });

    expect(session).toEqual({
      id: "5f0c6d5e-0000-4000-8000-000000000001",
      title: "What is in a.txt?",
      createdAt: Date.UTC(2026, 2, 1, 8, 0, 0, 123),
      updatedAt: Date.UTC(2026, 2, 1, 9),
      model: "gpt-5",
      entries: [
        { type: "title", title: "What is in a.txt?" },
        {
          type: "prompt",
          turnId: "turn_imported1",
          message: { role: "user", id: "msg_imported1", parts: [text("What is in a.txt?")] },
        },
        { type: "reasoning", messageId: "msg_imported2", text: "I should look." },
        { type: "text", messageId: "msg_imported2", text: "I look." },
        {
          type: "call",
          messageId: "msg_imported2",
          call: {
            callId: "call_1",
            name: "read_file",
            title: "read_file",
            kind: "read",
            locations: [],
            input: { file_path: "a.txt" },
            content: [],
          },
          rawInput: '{"file_path":"a.txt"}',
        },
        { type: "call-ended", callId: "call_1", failed: true, told: [text("Error: File a.txt does not exist")] },
        { type: "text", messageId: "msg_imported3", text: "Nothing." },
        { type: "turn-ended", turnId: "turn_imported1", outcome: { type: "ended" } },
      ],
    });
  });

  test("keeps pictures, and drops the notes the system made for itself", () => {
    const { messages } = foldHistory(
      read({
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: reminder },
              { type: "text", text: "See" },
              { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
              { type: "image_url", image_url: { url: "https://example.org/a.png" } },
              { type: "video", of: "what?" },
            ],
          },
          { role: "user", content: reminder },
          {
            role: "assistant",
            content: [
              { type: "text", text: "I " },
              { type: "text", text: "see." },
            ],
          },
          "nonsense",
        ],
      }).entries,
    );

    expect(messages.map(contentOf)).toEqual([
      [
        text("See"),
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        { type: "link", uri: "https://example.org/a.png", name: "https://example.org/a.png" },
      ],
      [text("I see.")],
    ]);
  });

  test("turns a summary into an exchange", () => {
    const { messages } = foldHistory(
      read({
        messages: [
          { role: "system", content: "[Compact Boundary | auto=True]" },
          { role: "system", content: "[Conversation Summary]\nWe fixed it." },
          { role: "system", content: "Files read: a.txt" },
          { role: "user", content: "Go on" },
        ],
      }).entries,
    );

    expect(messages.map(({ role, ...message }) => [role, contentOf({ role, ...message } as Message)])).toEqual([
      ["user", [text("What happened in this conversation so far?")]],
      ["assistant", [text("[Conversation Summary]\nWe fixed it.\n\nFiles read: a.txt")]],
      ["user", [text("Go on")]],
    ]);
  });

  test("keeps calls apart that have the same id or none, and those that never ended", () => {
    const asked = (id: string | null, content: string) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, function: { name: "glob", arguments: { pattern: "*" } } }],
      },
      { role: "tool", tool_call_id: id ?? "", content },
    ];
    const { messages } = foldHistory(
      read({
        messages: [
          { role: "user", content: "Go" },
          ...asked("call_0", "one"),
          ...asked("call_0", "two"),
          ...asked(null, "three"),
          ...asked("call_9", "").slice(0, 1),
          { role: "tool", tool_call_id: "nobody's", content: "lost" },
        ],
      }).entries,
    );

    const results = messages.flatMap((message) =>
      message.role === "result" ? [[message.callId, contentOf(message)]] : [],
    );
    expect(results).toEqual([
      ["call_0", [text("one")]],
      ["call_imported2", [text("two")]],
      ["call_imported3", [text("three")]],
      ["call_9", [text("Not run: the turn was interrupted.")]],
    ]);
  });

  test("knows a turn that was cancelled", () => {
    const { entries } = read({
      messages: [
        { role: "user", content: "Go" },
        { role: "assistant", content: "[Cancelled: acp-session-cancel]" },
        { role: "user", content: "Again" },
      ],
    });

    expect(entries.filter(({ type }) => type === "turn-ended")).toEqual([
      { type: "turn-ended", turnId: "turn_imported1", outcome: { type: "cancelled" } },
      { type: "turn-ended", turnId: "turn_imported2", outcome: { type: "ended" } },
    ]);
  });

  test("has the plan that was made last", () => {
    const todo = (input: string) => ({
      role: "assistant",
      tool_calls: [{ id: "", function: { name: "todo_write", arguments: input } }],
    });
    const { plan } = foldHistory(
      read({
        messages: [
          { role: "user", content: "Go" },
          todo('{"todos":[]}'),
          todo(
            '{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c"}]}',
          ),
          todo("no JSON"),
          todo('{"todos":"none"}'),
        ],
      }).entries,
    );

    expect(plan).toEqual([
      { content: "a", priority: "medium", status: "completed" },
      { content: "b", priority: "medium", status: "in_progress" },
      { content: "c", priority: "medium", status: "pending" },
    ]);
  });

  test("goes by its file's name where it has no id and no time", () => {
    const { id, createdAt, updatedAt } = read({ messages: [] });

    const time = new Date(2026, 2, 1, 10, 30, 15).getTime();
    expect({ id, createdAt, updatedAt }).toEqual({ id: "20260301_103015_123456", createdAt: time, updatedAt: time });
  });

  test.each<[unknown, string]>([
    [null, "it has no list of messages"],
    [[], "it has no list of messages"],
    [{ messages: "none" }, "it has no list of messages"],
    [{ session_id: "../../etc/passwd", messages: [] }, "its session_id is no plain name"],
  ])("%j is refused", (json, problem) => {
    expect(readReferenceSession(json, "name")).toEqual({ type: "unreadable", problem });
  });
});

describe("a history that a host sends along", () => {
  test("becomes the entries of a session", () => {
    const entries = importHistory([
      { role: "user", content: [{ type: "text", text: "previous question" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "previous " },
          { type: "text", text: "answer" },
        ],
      },
      { role: "user", content: "another" },
      { role: "assistant", content: "answer" },
      { role: "user", content: [{ type: "image", data: "AA==", mimeType: "image/png" }] },
    ]);

    expect(foldHistory(entries ?? []).messages).toEqual([
      { role: "user", id: "msg_imported1", parts: [text("previous question")] },
      { role: "assistant", id: "msg_imported2", parts: [text("previous answer")] },
      { role: "user", id: "msg_imported3", parts: [text("another")] },
      { role: "assistant", id: "msg_imported4", parts: [text("answer")] },
      { role: "user", id: "msg_imported5", parts: [{ type: "image", data: "AA==", mimeType: "image/png" }] },
    ]);
  });

  test("may be empty", () => {
    expect(importHistory([])).toEqual([]);
  });

  test.each<[unknown]>([
    [undefined],
    [null],
    ["text"],
    [{}],
    [["text"]],
    [[{ role: "system", content: "x" }]],
    [[{ content: "x" }]],
  ])("%j is none", (history) => {
    expect(importHistory(history)).toBeUndefined();
  });
});

function read(json: object): ReferenceSession {
  const reading = readReferenceSession(json, "20260301_103015_123456");
  if (reading.type !== "session") throw new Error(reading.problem);
  return reading.session;
}

function contentOf(message: Message): unknown {
  return message.parts;
}
