// What the schema does not say of a method: the name of its handler, and the capability without which it may not be
// called. By wire name; a method that is a request one way and a notification the other has an entry for each.

export interface MethodNote {
  readonly name: string;
  readonly gate?: { readonly of: "agent" | "client"; readonly path: string };
  readonly doc: string;
}

const agent = (path: string) => ({ of: "agent", path }) as const;
const client = (path: string) => ({ of: "client", path }) as const;

export const methodNotes: { readonly [method: string]: MethodNote } = {
  // To the agent.
  initialize: {
    name: "initialize",
    doc: "Agrees on the protocol version and exchanges capabilities; always the first call on a connection.",
  },
  authenticate: {
    name: "authenticate",
    doc: "Signs in by one of the methods the agent listed, other than those that run in a terminal.",
  },
  logout: {
    name: "logout",
    gate: agent("auth.logout"),
    doc: "Signs out; calls that need a signed-in user fail from then on.",
  },
  "auth/status": {
    name: "authStatus",
    gate: agent("auth.status"),
    doc: "Asks whether, and as whom, the agent is signed in.",
  },
  "providers/list": {
    name: "listProviders",
    gate: agent("providers"),
    doc: "Lists the model providers that can be configured.",
  },
  "providers/set": {
    name: "setProvider",
    gate: agent("providers"),
    doc: "Points a provider at an endpoint, replacing its whole configuration.",
  },
  "providers/disable": { name: "disableProvider", gate: agent("providers"), doc: "Turns a provider off." },
  "session/new": { name: "newSession", doc: "Starts a session in a folder." },
  "session/load": {
    name: "loadSession",
    gate: agent("loadSession"),
    doc: "Opens a stored session; its whole history is replayed as updates before the answer arrives.",
  },
  "session/resume": {
    name: "resumeSession",
    gate: agent("sessionCapabilities.resume"),
    doc: "Goes on with a stored session without replaying its history.",
  },
  "session/fork": {
    name: "forkSession",
    gate: agent("sessionCapabilities.fork"),
    doc: "Starts a new session from what another one holds so far; the first is left as it is.",
  },
  "session/close": {
    name: "closeSession",
    gate: agent("sessionCapabilities.close"),
    doc: "Cancels what a session is doing and frees what it holds. A stored session stays stored.",
  },
  "session/list": {
    name: "listSessions",
    gate: agent("sessionCapabilities.list"),
    doc: "Lists stored sessions, a page at a time.",
  },
  "session/delete": {
    name: "deleteSession",
    gate: agent("sessionCapabilities.delete"),
    doc: "Removes a stored session; one that is already gone is a success too.",
  },
  "session/archive": {
    name: "archiveSession",
    gate: agent("sessionCapabilities.archive"),
    doc: "Puts a session away, so that lists leave it out unless they are asked not to.",
  },
  "session/unarchive": {
    name: "unarchiveSession",
    gate: agent("sessionCapabilities.archive"),
    doc: "Brings an archived session back into ordinary lists.",
  },
  "session/status": {
    name: "sessionStatus",
    gate: agent("sessionCapabilities.status"),
    doc: "Asks whether a session is open in the agent or only stored.",
  },
  "session/set_title": {
    name: "setTitle",
    gate: agent("sessionCapabilities.title"),
    doc: "Gives a session a title; the answer has the title as it was stored.",
  },
  "session/set_mode": {
    name: "setMode",
    doc: "Changes a session's mode to one the agent offered. Allowed during a turn.",
  },
  "session/set_config_option": {
    name: "setConfigOption",
    doc: "Sets one configuration option; the answer has all of them, since one may change others.",
  },
  "session/prompt": {
    name: "prompt",
    doc: "Begins a turn. Answered when the turn ends; what happens in between arrives as updates.",
  },
  "session/cancel": {
    name: "cancel",
    doc: "Asks for the end of a session's turn. The prompt is still answered, with the stop reason `cancelled`.",
  },
  "mcp/message#notification": {
    name: "messageMcp",
    gate: agent("mcpCapabilities.acp"),
    doc: "Carries a message of a client-side MCP server to the agent, while one of the agent's requests to it is open.",
  },
  // To the client.
  "session/update": {
    name: "update",
    doc: "Tells what happens in a session: text, tool calls, plans, modes and more.",
  },
  "session/request_permission": {
    name: "requestPermission",
    doc: "Asks the person whether a tool call may go ahead. Must be answered with `cancelled` when the turn is cancelled.",
  },
  "fs/read_text_file": {
    name: "readTextFile",
    gate: client("fs.readTextFile"),
    doc: "Reads a text file through the client, including changes an editor has not saved.",
  },
  "fs/write_text_file": {
    name: "writeTextFile",
    gate: client("fs.writeTextFile"),
    doc: "Writes a text file through the client, creating it if it is not there.",
  },
  "terminal/create": {
    name: "createTerminal",
    gate: client("terminal"),
    doc: "Starts a command and answers at once; the command runs on until it ends, is killed or is released.",
  },
  "terminal/output": {
    name: "terminalOutput",
    gate: client("terminal"),
    doc: "Reads what a command has written so far, without waiting for it to end.",
  },
  "terminal/wait_for_exit": {
    name: "waitForTerminalExit",
    gate: client("terminal"),
    doc: "Answers when the command has ended.",
  },
  "terminal/kill": {
    name: "killTerminal",
    gate: client("terminal"),
    doc: "Ends the command. The terminal stays: its output and exit can still be read until it is released.",
  },
  "terminal/release": {
    name: "releaseTerminal",
    gate: client("terminal"),
    doc: "Ends the command if it still runs and frees the terminal; its id means nothing afterwards.",
  },
  "elicitation/create": {
    name: "createElicitation",
    gate: client("elicitation"),
    doc: "Asks the person for input, by a form or by a page to visit; each way has a capability of its own below this one.",
  },
  "elicitation/complete": {
    name: "completeElicitation",
    gate: client("elicitation.url"),
    doc: "Tells that what was asked for at a web page has been done.",
  },
  "auth/status_update": {
    name: "authStatusUpdate",
    gate: agent("auth.status"),
    doc: "Tells that the agent has been signed in or out.",
  },
  "mcp/message": {
    name: "messageMcp",
    gate: agent("mcpCapabilities.acp"),
    doc: "Carries the agent's request to an MCP server that the client runs.",
  },
  // To both, and to a proxy between them.
  "$/cancel_request": {
    name: "cancelRequest",
    doc: "Says that the answer to a request is no longer wanted. The connection handles it; the request is still answered.",
  },
  "proxy/initialize": {
    name: "initializeProxy",
    doc: "Initializes a program that stands between a client and an agent.",
  },
  "proxy/successor": {
    name: "requestSuccessor",
    doc: "Carries a request to or from the next program in a chain of proxies.",
  },
  "proxy/successor#notification": {
    name: "notifySuccessor",
    doc: "Carries a notification to or from the next program in a chain of proxies.",
  },
};
