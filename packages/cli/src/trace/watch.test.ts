import { describe, expect, test } from "vitest";
import type { Sender } from "./recording.ts";
import { Watch } from "./watch.ts";

type Line = readonly [from: Sender, frame: unknown];

const call = (from: Sender, id: unknown, method: string, params: object = {}): Line => [
  from,
  { jsonrpc: "2.0", id, method, params },
];
const tell = (from: Sender, method: string, params: object = {}): Line => [from, { jsonrpc: "2.0", method, params }];
const answer = (from: Sender, id: unknown, result: unknown): Line => [from, { jsonrpc: "2.0", id, result }];
const fail = (from: Sender, id: unknown, error: unknown): Line => [from, { jsonrpc: "2.0", id, error }];
const chunk = (sessionId = "s", text = "x"): Line =>
  tell("agent", "session/update", {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });

const hello = (client: object = {}, agent: object = {}): Line[] => [
  call("client", 0, "initialize", { protocolVersion: 1, clientCapabilities: client }),
  answer("agent", 0, { protocolVersion: 1, agentCapabilities: agent }),
];
const opened: Line[] = [
  call("client", 1, "session/new", { cwd: "/", mcpServers: [] }),
  answer("agent", 1, { sessionId: "s" }),
];
const ask: Line = call("client", 2, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "hi" }] });
const done: Line = answer("agent", 2, { stopReason: "end_turn" });
const permission = call("agent", "p", "session/request_permission", {
  sessionId: "s",
  toolCall: { toolCallId: "c" },
  options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
});

/** What is wrong with each line, as "rule: message"; lines with which nothing is wrong are left out. */
function look(lines: readonly Line[]): string[] {
  const watch = new Watch();
  return lines.flatMap(([from, frame], atMs) =>
    watch
      .see(from, typeof frame === "string" ? Buffer.from(frame, "latin1") : Buffer.from(JSON.stringify(frame)), atMs)
      .breaches.map(({ rule, message }) => `${rule}: ${message}`),
  );
}

test("finds nothing wrong with an ordinary session", () => {
  const lines = [
    ...hello({ fs: { readTextFile: true } }, { loadSession: true, promptCapabilities: { image: true } }),
    ...opened,
    tell("agent", "session/update", {
      sessionId: "s",
      update: { sessionUpdate: "available_commands_update", availableCommands: [] },
    }),
    ask,
    chunk(),
    permission,
    answer("client", "p", { outcome: { outcome: "selected", optionId: "yes" } }),
    call("agent", "r", "fs/read_text_file", { sessionId: "s", path: "/a" }),
    answer("client", "r", { content: "" }),
    tell("client", "session/cancel", { sessionId: "s" }),
    tell("client", "$/cancel_request", { requestId: 2 }),
    done,
    call("client", 3, "session/load", { sessionId: "old", cwd: "/", mcpServers: [] }),
    chunk("old"),
    answer("agent", 3, null),
    call("client", 4, "_example.com/own", { anything: 1 }),
    fail("agent", 4, { code: -32601, message: "Method not found" }),
    fail("agent", null, { code: -32700, message: "Parse error" }),
  ];
  expect(look(lines)).toEqual([]);
});

describe("by itself", () => {
  test.each<[string, unknown, string]>([
    ["no JSON", "hello", "not-json: it is not JSON"],
    ["an empty line", "  ", "not-json: the line is empty"],
    ["no UTF-8", '"\xff\xfe"', "not-json: it is not UTF-8"],
    ["no object", "7", "not-a-frame: it is not an object"],
    ["a batch", [], "not-a-frame: it is a batch, which ACP does not have"],
    ["no version", { id: 1, method: "x" }, 'not-a-frame: "jsonrpc" is not "2.0"'],
    ["no purpose", { jsonrpc: "2.0" }, 'not-a-frame: it has neither "method" nor "id"'],
    ["no outcome", { jsonrpc: "2.0", id: 1 }, 'not-a-frame: it has neither "result" nor "error"'],
    ["two outcomes", { jsonrpc: "2.0", id: 1, result: 1, error: {} }, 'not-a-frame: it has both "result" and "error"'],
    ["a method that is no text", { jsonrpc: "2.0", method: 1 }, 'not-a-frame: "method" is not a string'],
    [
      "an id that is null",
      { jsonrpc: "2.0", id: null, method: "x" },
      'not-a-frame: the "id" of a request is a string or an integer',
    ],
    [
      "a method nobody knows",
      tell("client", "session/explode")[1],
      "unknown-method: session/explode is not in ACP v1, and does not begin with _",
    ],
    ["a method of the other side", tell("client", "session/update")[1], "wrong-side: session/update is not for agents"],
    [
      "a notification with an id",
      call("client", 9, "session/cancel", { sessionId: "s" })[1],
      "wrong-kind: session/cancel is a notification, not a request",
    ],
    [
      "a request without an id",
      tell("client", "session/close", { sessionId: "s" })[1],
      "wrong-kind: session/close is a request, not a notification",
    ],
    [
      "params that do not fit",
      call("client", 9, "session/prompt", { sessionId: "s", prompt: "hi" })[1],
      'bad-params: session/prompt: /prompt: expected an array, got "hi"',
    ],
    [
      "a field that is repaired",
      call("client", 9, "session/new", { cwd: "/" })[1],
      "repaired: session/new: /mcpServers: got nothing, which does not fit, and is read as []",
    ],
    [
      "a long line",
      tell("client", "_x/long", { text: "x".repeat(70_000) })[1],
      "long-line: the line has 70057 bytes; readers in the field break above 65536",
    ],
  ])("%s", (_, frame, breach) => {
    const capable = { sessionCapabilities: { close: {} } };
    expect(look([...hello({}, capable), ...opened, ["client", frame]])).toEqual([breach]);
  });

  test.each<[string, Line[], string]>([
    [
      "a result that does not fit",
      [ask, answer("agent", 2, { stopReason: "bored" })],
      "bad-result: session/prompt: /stopReason: ",
    ],
    [
      "an error without a code",
      [ask, fail("agent", 2, { message: "no" })],
      "bad-error: /code: expected an integer, got nothing",
    ],
    [
      "an error without a message",
      [ask, fail("agent", 2, { code: 1 })],
      "bad-error: /message: expected a string, got nothing",
    ],
    ["an error that is a text", [ask, fail("agent", 2, "no")], 'bad-error: the error is not an object, but "no"'],
  ])("%s", (_, lines, breach) => {
    const found = look([...hello(), ...opened, ...lines]);
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(breach), found[0]).toBe(true);
  });
});

describe("at its place", () => {
  test.each<[string, Line[], string[]]>([
    ["a request before the handshake", [...opened.slice(0, 1)], ["not-initialized: session/new before initialize"]],
    [
      "an agent that speaks before the handshake is over",
      [...hello().slice(0, 1), tell("agent", "_x/y")],
      ["not-initialized: _x/y before the answer to initialize"],
    ],
    [
      "a second handshake",
      [...hello(), call("client", 5, "initialize", { protocolVersion: 1 })],
      ["initialize-again: initialize was sent before"],
    ],
    [
      "an answer to nothing",
      [...hello(), answer("agent", 7, {})],
      ["unknown-response: a response to 7, which is no open request"],
    ],
    [
      "an answer whose id has another type",
      [...hello(), ...opened, ask, answer("agent", "2", { stopReason: "end_turn" })],
      ['unknown-response: a response to "2", which is no open request'],
    ],
    [
      "a second answer",
      [...hello(), ...opened, ask, done, done],
      ["unknown-response: a response to 2, which is no open request"],
    ],
    [
      "an answer by the one who asked",
      [...hello(), ...opened, ask, answer("client", 2, {})],
      ["unknown-response: a response to 2, which is no open request"],
    ],
    [
      "an id that is still in use",
      [...hello(), ...opened, ask, call("client", 2, "_x/y")],
      ["duplicate-id: the id 2 is of a request that is still open"],
    ],
    [
      "a session nobody opened",
      [...hello(), ...opened, ask, chunk("t")],
      ['unknown-session: session/update for the session "t", which is not open'],
    ],
    [
      "an update before the session is there",
      [...hello(), ...opened.slice(0, 1), chunk()],
      [
        'unknown-session: session/update for the session "s", which is not open (the answer to session/new comes first)',
      ],
    ],
    [
      "a prompt for a closed session",
      [
        ...hello({}, { sessionCapabilities: { close: {} } }),
        ...opened,
        call("client", 5, "session/close", { sessionId: "s" }),
        answer("agent", 5, {}),
        ask,
      ],
      ['unknown-session: session/prompt for the session "s", which is not open'],
    ],
    [
      "an update after the turn",
      [...hello(), ...opened, ask, done, chunk()],
      ["outside-turn: agent_message_chunk while no prompt is open: the answer to a prompt comes after all its updates"],
    ],
    [
      "an option that was not offered",
      [
        ...hello(),
        ...opened,
        ask,
        permission,
        answer("client", "p", { outcome: { outcome: "selected", optionId: "maybe" } }),
      ],
      ['unknown-option: /outcome/optionId: expected one of "yes", got "maybe"'],
    ],
    [
      "a method of the agent without its capability",
      [...hello(), call("client", 5, "session/list")],
      ["gate: session/list from the client, but the agent did not advertise sessionCapabilities.list"],
    ],
    [
      "a method of the client without its capability",
      [...hello(), ...opened, ask, call("agent", 1, "terminal/create", { sessionId: "s", command: "ls" })],
      ["gate: terminal/create from the agent, but the client did not advertise terminal"],
    ],
    [
      "a proposed method without its capability",
      [...hello(), call("client", 5, "session/fork", { sessionId: "s", cwd: "/" })],
      ["gate: session/fork from the client, but the agent did not advertise sessionCapabilities.fork"],
    ],
    [
      "content without its capability",
      [
        ...hello(),
        ...opened,
        call("client", 2, "session/prompt", {
          sessionId: "s",
          prompt: [{ type: "image", data: "", mimeType: "image/png" }],
        }),
      ],
      ["gate: session/prompt with image content, but the agent did not advertise promptCapabilities.image"],
    ],
    [
      "a server without its capability",
      [
        ...hello(),
        call("client", 1, "session/new", {
          cwd: "/",
          mcpServers: [{ type: "http", name: "x", url: "http://x", headers: [] }],
        }),
      ],
      ["gate: session/new with an http server, but the agent did not advertise mcpCapabilities.http"],
    ],
  ])("%s", (_, lines, breaches) => {
    expect(look(lines)).toEqual(breaches);
  });
});

test("tells how long an answer took, and what was never answered", () => {
  const watch = new Watch();
  const see = ([from, frame]: Line, atMs: number) => watch.see(from, Buffer.from(JSON.stringify(frame)), atMs).answers;
  const [question, reply] = hello() as [Line, Line];
  expect(see(question, 10)).toBeUndefined();
  expect(see(reply, 12.5)).toEqual({ method: "initialize", latencyMs: 2.5 });
  see(call("client", 1, "_x/a"), 20);
  see(call("agent", 1, "_x/b"), 15);
  expect(watch.unanswered).toEqual([
    { from: "agent", id: 1, method: "_x/b" },
    { from: "client", id: 1, method: "_x/a" },
  ]);
});
