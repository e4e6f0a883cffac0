// The script in which every method of the released protocol crosses, in every way it can end.

import type { ErrorObject, InitializeRequest, InitializeResponse, PermissionOption } from "@agentao/acp";
import { ask, askFor, askWrongly, type RequestStep, type Side, type Step, tell, tellNobody } from "./exchange.ts";
import { configOptions, everyBlock, everyServer, everyUpdate, form, longText, meta, modes } from "./samples.ts";

const cwd = "/home/ada/project";
const sessionId = "sess-1";
const terminalId = "term-1";

export const opening: InitializeRequest = {
  protocolVersion: 1,
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    session: { compaction: {}, configOptions: { boolean: {} }, notices: {} },
    auth: { terminal: true },
    elicitation: { form: {}, url: {} },
  },
  clientInfo: { name: "interop-client", title: "Interop client", version: "1.2.3" },
  _meta: meta,
};

export const greeting: InitializeResponse = {
  protocolVersion: 1,
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {} },
    auth: { logout: {} },
  },
  authMethods: [
    { id: "login", name: "Sign in", description: "In the browser", _meta: meta },
    { type: "terminal", id: "tty", name: "Sign in here", args: ["--login"], env: { TERM: "dumb" } },
  ],
  agentInfo: { name: "interop-agent", title: "Interop agent", version: "3.2.1" },
  _meta: meta,
};

const authRequired = {
  type: "error",
  error: { code: -32000, message: "Authentication required: sign in first", data: { methods: ["login"] } },
} as const;

const options: readonly PermissionOption[] = [
  { optionId: "yes", name: "Allow", kind: "allow_once", _meta: meta },
  { optionId: "yes!", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
  { optionId: "no!", name: "Never allow", kind: "reject_always" },
];

const signingIn: readonly Step[] = [
  askFor({ type: "refusal" }, "a session is refused before the handshake", "session/new", { cwd, mcpServers: [] }),
  ask("the handshake tells both sides what the other can do", "initialize", opening, greeting),
  askFor(authRequired, "a session needs a sign-in first", "session/new", { cwd, mcpServers: [] }),
  ask(
    "a sign-in opens a page outside of any session",
    "authenticate",
    { methodId: "login", _meta: meta },
    { _meta: meta },
    [
      ask(
        "a page is asked for on behalf of a request",
        "elicitation/create",
        { mode: "url", requestId: "sign-in", elicitationId: "e1", url: "https://example.com/?a=1", message: "Sign in" },
        { action: "accept", _meta: meta },
      ),
      tell("elicitation/complete", { elicitationId: "e1", _meta: meta }),
    ],
  ),
];

const sessions: readonly Step[] = [
  ask(
    "a session starts with servers, folders, modes and options",
    "session/new",
    { cwd, mcpServers: everyServer, additionalDirectories: ["/home/ada/lib"], _meta: meta },
    { sessionId, modes, configOptions, _meta: meta },
  ),
  ask(
    "the first page of sessions names the next",
    "session/list",
    { cwd, _meta: meta },
    {
      sessions: [
        {
          sessionId,
          cwd,
          additionalDirectories: ["/home/ada/lib"],
          title: "Releasing",
          updatedAt: "2026-08-22T10:00:00Z",
        },
        { sessionId: "sess-0", cwd, title: null, _meta: meta },
      ],
      nextCursor: "page 2",
    },
  ),
  ask("the last page of sessions names none", "session/list", { cursor: "page 2" }, { sessions: [], _meta: meta }),
  ask(
    "a load replays the history and then answers",
    "session/load",
    { sessionId, cwd, mcpServers: everyServer, additionalDirectories: [] },
    { modes, configOptions },
    everyUpdate.slice(0, 4).map((update) => tell("session/update", { sessionId, update })),
  ),
  ask("a load can be answered with nothing", "session/load", { sessionId, cwd, mcpServers: [] }),
  ask(
    "a resume answers without a replay",
    "session/resume",
    { sessionId, cwd, mcpServers: everyServer },
    { modes, configOptions },
  ),
  ask("a mode is set", "session/set_mode", { sessionId, modeId: "code", _meta: meta }, { _meta: meta }),
  ask(
    "an option is set to one of its values",
    "session/set_config_option",
    { sessionId, configId: "model", value: "small" },
    {
      configOptions,
    },
  ),
  ask(
    "an option is switched on",
    "session/set_config_option",
    { sessionId, configId: "web", type: "boolean", value: true, _meta: meta },
    { configOptions: [], _meta: meta },
  ),
];

const turns: readonly Step[] = [
  ask(
    "a turn takes content of every kind and tells updates of every kind",
    "session/prompt",
    { sessionId, prompt: everyBlock, _meta: meta },
    { stopReason: "end_turn", _meta: meta },
    [
      ...everyUpdate.map((update) => tell("session/update", { sessionId, update })),
      tell("session/update", { sessionId, update: { sessionUpdate: "plan", entries: [], _meta: meta }, _meta: meta }),
    ],
  ),
  ...(["max_tokens", "max_turn_requests", "refusal"] as const).map((stopReason) =>
    ask(`a turn ends with ${stopReason}`, "session/prompt", { sessionId, prompt: [] }, { stopReason }),
  ),
  prompt("a turn asks for permission", [
    ask(
      "the person allows",
      "session/request_permission",
      {
        sessionId,
        toolCall: { toolCallId: "call-2", title: "rm -r build", kind: "delete", status: "pending" },
        options,
        _meta: meta,
      },
      { outcome: { outcome: "selected", optionId: "yes", _meta: meta }, _meta: meta },
      [ask("a mode is set while the person is asked", "session/set_mode", { sessionId, modeId: "ask" })],
    ),
    ask(
      "the person does not decide",
      "session/request_permission",
      { sessionId, toolCall: { toolCallId: "call-3" }, options: [] },
      { outcome: { outcome: "cancelled" } },
    ),
  ]),
  askFor(
    { type: "cancelled-turn", result: { stopReason: "cancelled" } },
    "a cancelled turn ends as cancelled",
    "session/prompt",
    { sessionId, prompt: [] },
    [
      tell("session/update", {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "…" } },
      }),
      ask(
        "a question that is open when the turn is cancelled is answered so",
        "session/request_permission",
        { sessionId, toolCall: { toolCallId: "call-4" }, options },
        { outcome: { outcome: "cancelled" } },
        [tell("session/cancel", { sessionId })],
      ),
    ],
  ),
];

const services: readonly Step[] = [
  prompt("a turn uses the client's files", [
    ask(
      "lines of a file are read",
      "fs/read_text_file",
      { sessionId, path: `${cwd}/a.ts`, line: 2, limit: 10, _meta: meta },
      { content: longText, _meta: meta },
    ),
    ask("an empty file is read", "fs/read_text_file", { sessionId, path: `${cwd}/empty` }, { content: "" }),
    ask(
      "a file is written",
      "fs/write_text_file",
      { sessionId, path: `${cwd}/b.ts`, content: longText },
      { _meta: meta },
    ),
    ask("a write can be answered with nothing", "fs/write_text_file", { sessionId, path: `${cwd}/c.ts`, content: "" }),
  ]),
  prompt("a turn uses the client's terminal", [
    ask(
      "a command starts",
      "terminal/create",
      {
        sessionId,
        command: "npm",
        args: ["test", "--", "-x"],
        env: [{ name: "CI", value: "1" }],
        cwd,
        outputByteLimit: 65_536,
        _meta: meta,
      },
      { terminalId, _meta: meta },
    ),
    ask(
      "its output is read while it runs",
      "terminal/output",
      { sessionId, terminalId },
      { output: "1 passed\n", truncated: false },
    ),
    ask("it is killed", "terminal/kill", { sessionId, terminalId }),
    ask(
      "its end is waited for",
      "terminal/wait_for_exit",
      { sessionId, terminalId },
      { exitCode: null, signal: "SIGTERM" },
    ),
    ask(
      "its output is read after its end",
      "terminal/output",
      { sessionId, terminalId, _meta: meta },
      {
        output: longText,
        truncated: true,
        exitStatus: { exitCode: 1, signal: null },
        _meta: meta,
      },
    ),
    ask("it is released", "terminal/release", { sessionId, terminalId }),
  ]),
  prompt("a turn asks the person for input", [
    ask(
      "a form is filled in",
      "elicitation/create",
      { mode: "form", sessionId, toolCallId: "call-5", message: "Which release?", requestedSchema: form, _meta: meta },
      { action: "accept", content: { version: "2.0.0", share: 0.5, retries: 2, notify: false, systems: ["linux"] } },
    ),
    ask(
      "a form is declined",
      "elicitation/create",
      { mode: "form", sessionId, message: "Sure?", requestedSchema: { type: "object", properties: {} } },
      { action: "decline", _meta: meta },
    ),
    ask(
      "a page is closed without a decision",
      "elicitation/create",
      { mode: "url", sessionId, elicitationId: "e2", url: "https://example.com/pay", message: "Pay" },
      { action: "cancel" },
    ),
  ]),
];

const extensions: readonly Step[] = [
  ...extensionOf("agent"),
  tell("_example.com/agent-told", { n: 1, _meta: meta }),
  tellNobody("_example.com/nobody", {}),
  askWrongly("params that do not fit are refused by the agent", "session/prompt", { sessionId, prompt: "not a list" }),
  askFor({ type: "withdrawal" }, "a prompt is withdrawn", "session/prompt", { sessionId, prompt: [] }),
  askFor({ type: "withdrawal" }, "a request of the client is withdrawn", "session/load", {
    sessionId: "slow",
    cwd,
    mcpServers: [],
  }),
  ask("the agent asks back", "_example.com/agent", {}, {}, [
    ...extensionOf("client"),
    tell("_example.com/client-told", { n: 2, _meta: meta }),
    tellNobody("_example.com/nobody", {}),
    askWrongly("params that do not fit are refused by the client", "fs/write_text_file", { sessionId, path: 7 }),
    askFor(
      { type: "error", error: { code: -32002, message: "Resource not found: x", data: { uri: "file:///x" } } },
      "a file that is not there is an error",
      "fs/read_text_file",
      { sessionId, path: "/x" },
    ),
    askFor({ type: "withdrawal" }, "a request of the agent is withdrawn", "terminal/wait_for_exit", {
      sessionId,
      terminalId: "term-2",
    }),
  ]),
];

const leaving: readonly Step[] = [
  ask("a session is closed", "session/close", { sessionId, _meta: meta }),
  ask("a session is deleted", "session/delete", { sessionId, _meta: meta }, { _meta: meta }),
  ask("the person signs out", "logout", { _meta: meta }),
  askFor(authRequired, "a session needs a sign-in again", "session/new", { cwd, mcpServers: [] }),
];

export const everyMethod: readonly Step[] = [
  ...signingIn,
  ...sessions,
  ...turns,
  ...services,
  ...extensions,
  ...leaving,
];

/** Every way in which a request outside the protocol can end, when one side is asked. */
function extensionOf(side: Side): Step[] {
  const method = `_example.com/${side}` as const;
  const failing = (title: string, error: ErrorObject) => askFor({ type: "error", error }, title, method, {});
  return [
    ...[{ deep: { ok: [true] } }, ["a", "list"], "text", "", 0, false, null].map((result, n) =>
      ask(`an extension of the ${side} answers ${JSON.stringify(result)}`, method, { n, list: [null] }, result),
    ),
    failing(`an error of the ${side} has code, message and data`, {
      code: 4711,
      message: "no cheese",
      data: { left: [0] },
    }),
    failing(`an error of the ${side} has null for data`, {
      code: -32000,
      message: "Authentication required",
      data: null,
    }),
    failing(`an error of the ${side} has no data`, { code: -1, message: "" }),
    askFor({ type: "crash", message: "disk on fire" }, `a handler of the ${side} breaks`, method, {}),
    askFor({ type: "refusal" }, `a method the ${side} does not have is not found`, "_example.com/nobody", {}),
  ];
}

function prompt(title: string, during: readonly Step[]): RequestStep {
  return ask(
    title,
    "session/prompt",
    { sessionId, prompt: [{ type: "text", text: title }] },
    { stopReason: "end_turn" },
    during,
  );
}
