// The scripts that the shorthand calls of our library follow: one for what a client calls, one for what an agent does.

import { greeting } from "./every-method.ts";
import { ask, askFor, type NotificationStep, type RequestStep, type Step, tell } from "./exchange.ts";
import { configOptions, everyUpdate, modes } from "./samples.ts";

export const cwd = "/home/ada/project";
export const sessionId = "sess-1";
export const replay = everyUpdate.slice(0, 6);

const terminalId = "term-1";
const at = { sessionId, terminalId };
const toolCall = { toolCallId: "call-1" };
const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
] as const;
const unknownSession = {
  type: "error",
  error: { code: -32002, message: "Resource not found", data: { sessionId } },
} as const;

/** `{}` as the official SDK reads it. */
const nothing = { fs: { readTextFile: false, writeTextFile: false }, terminal: false, auth: { terminal: false } };

/** What a client of ours without handlers calls. */
export const clientShorthand: readonly Step[] = [
  ask("initialize", "initialize", { protocolVersion: 1, clientCapabilities: nothing }, greeting),
  ask("authenticate", "authenticate", { methodId: "login" }),
  ask("newSession", "session/new", { cwd, mcpServers: [] }, { sessionId, modes, configOptions }),
  ask("allSessions begins", "session/list", { cwd }, { sessions: [{ sessionId, cwd }], nextCursor: "2" }),
  ask("allSessions goes on", "session/list", { cwd, cursor: "2" }, { sessions: [{ sessionId: "sess-2", cwd }] }),
  ask(
    "loadSession",
    "session/load",
    { sessionId, cwd, mcpServers: [] },
    { modes },
    replay.map((update) => tell("session/update", { sessionId, update })),
  ),
  ask("resumeSession", "session/resume", { sessionId, cwd }, { configOptions }),
  ask("setMode", "session/set_mode", { sessionId, modeId: "code" }),
  ask(
    "setConfigOption",
    "session/set_config_option",
    { sessionId, configId: "model", value: "small" },
    { configOptions },
  ),
  ask(
    "setConfigOption of a switch",
    "session/set_config_option",
    { sessionId, configId: "web", type: "boolean", value: true },
    { configOptions },
  ),
  prompt("promptText", { type: "result", result: { stopReason: "end_turn" } }, [
    say("Hel"),
    ask("permission without a handler", "session/request_permission", { sessionId, toolCall, options }),
    askFor({ type: "refusal" }, "file without a handler", "fs/read_text_file", { sessionId, path: "/a.ts" }),
    say("lo"),
  ]),
  prompt("prompt", { type: "cancelled-turn", result: { stopReason: "cancelled" } }, [say("waiting")]),
  askFor(unknownSession, "closeSession", "session/close", { sessionId }),
  askFor(unknownSession, "deleteSession", "session/delete", { sessionId }),
  ask("logout", "logout", {}),
];

/** What an agent of ours does when it is asked for `_example.com/shorthand`, with a client that can do less than all. */
export const agentShorthand: readonly Step[] = [
  ask(
    "initialize",
    "initialize",
    {
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        session: { notices: {} },
        elicitation: { form: {} },
      },
    },
    greeting,
  ),
  ask("shorthand", "_example.com/shorthand", {}, undefined, [
    ask("readTextFile", "fs/read_text_file", { sessionId, path: "/a.ts" }, { content: "let a;" }),
    ask("writeTextFile", "fs/write_text_file", { sessionId, path: "/b.ts", content: "let a;" }),
    ask("createTerminal", "terminal/create", { sessionId, command: "make", args: ["all"] }, { terminalId }),
    ask("output", "terminal/output", at, { output: "ok", truncated: false }),
    ask("kill", "terminal/kill", at),
    ask("waitForExit", "terminal/wait_for_exit", at, { signal: "SIGTERM" }),
    ask("release", "terminal/release", at),
    ask("allowed", "session/request_permission", permission(), { outcome: { outcome: "selected", optionId: "yes" } }),
    ask("cancelled", "session/request_permission", permission(), { outcome: { outcome: "cancelled" } }),
    ask("not offered", "session/request_permission", permission(), { outcome: { outcome: "selected", optionId: "?" } }),
    askFor({ type: "crash", message: "no screen" }, "failed", "session/request_permission", permission()),
    ask(
      "elicit",
      "elicitation/create",
      { mode: "form", sessionId, message: "Name?", requestedSchema: { type: "object", properties: {} } },
      { action: "accept", content: { name: "Ada" } },
    ),
    tell("session/update", {
      sessionId,
      update: { sessionUpdate: "notice", severity: "info", title: "This client shows notices" },
    }),
  ]),
];

function permission() {
  return { sessionId, toolCall, options: options.slice(0, 1) };
}

function prompt(text: string, answer: RequestStep["answer"], during: readonly Step[]): RequestStep {
  return askFor(answer, text, "session/prompt", { sessionId, prompt: [{ type: "text", text }] }, during);
}

function say(text: string): NotificationStep {
  const content = { type: "text", text } as const;
  return tell("session/update", { sessionId, update: { sessionUpdate: "agent_message_chunk", content } });
}
