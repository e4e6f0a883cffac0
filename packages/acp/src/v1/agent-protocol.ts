// ACP v1 as released, as an agent needs it: with the decoders of what an agent receives, without those of what it sends.
// An agent's start pays for every decoder within reach, and most of them read what only clients receive. A test holds
// these rows to the generated table.

import { type Decoder, decodeAny, orEmpty } from "../decode/decode.ts";
import {
  decodeAuthenticateRequest,
  decodeCancelNotification,
  decodeCloseSessionRequest,
  decodeCreateElicitationResponse,
  decodeCreateTerminalResponse,
  decodeDeleteSessionRequest,
  decodeInitializeRequest,
  decodeKillTerminalResponse,
  decodeListSessionsRequest,
  decodeLoadSessionRequest,
  decodeLogoutRequest,
  decodeNewSessionRequest,
  decodePromptRequest,
  decodeReadTextFileResponse,
  decodeReleaseTerminalResponse,
  decodeRequestPermissionResponse,
  decodeResumeSessionRequest,
  decodeSetSessionConfigOptionRequest,
  decodeSetSessionModeRequest,
  decodeTerminalOutputResponse,
  decodeWaitForTerminalExitResponse,
  decodeWriteTextFileResponse,
} from "./generated/decode.ts";
import type { Method } from "./method.ts";
import type { Protocol, V1 } from "./protocol.ts";

export const v1ForAgents: Protocol<V1> = {
  version: 1,
  methods: [
    answered("initialize", "initialize", decodeInitializeRequest),
    answered("authenticate", "authenticate", decodeAuthenticateRequest),
    answered("logout", "logout", decodeLogoutRequest, "auth.logout"),
    answered("session/new", "newSession", decodeNewSessionRequest),
    answered("session/load", "loadSession", decodeLoadSessionRequest, "loadSession"),
    answered("session/resume", "resumeSession", decodeResumeSessionRequest, "sessionCapabilities.resume"),
    answered("session/close", "closeSession", decodeCloseSessionRequest, "sessionCapabilities.close"),
    answered("session/list", "listSessions", decodeListSessionsRequest, "sessionCapabilities.list"),
    answered("session/delete", "deleteSession", decodeDeleteSessionRequest, "sessionCapabilities.delete"),
    answered("session/set_mode", "setMode", decodeSetSessionModeRequest),
    answered("session/set_config_option", "setConfigOption", decodeSetSessionConfigOptionRequest),
    answered("session/prompt", "prompt", decodePromptRequest),
    heard("session/cancel", "cancel", decodeCancelNotification),
    told("session/update", "update"),
    asked("session/request_permission", "requestPermission", decodeRequestPermissionResponse),
    asked("fs/read_text_file", "readTextFile", decodeReadTextFileResponse, "fs.readTextFile"),
    asked("fs/write_text_file", "writeTextFile", orEmpty(decodeWriteTextFileResponse), "fs.writeTextFile"),
    asked("terminal/create", "createTerminal", decodeCreateTerminalResponse, "terminal"),
    asked("terminal/output", "terminalOutput", decodeTerminalOutputResponse, "terminal"),
    asked("terminal/wait_for_exit", "waitForTerminalExit", orEmpty(decodeWaitForTerminalExitResponse), "terminal"),
    asked("terminal/kill", "killTerminal", orEmpty(decodeKillTerminalResponse), "terminal"),
    asked("terminal/release", "releaseTerminal", orEmpty(decodeReleaseTerminalResponse), "terminal"),
    asked("elicitation/create", "createElicitation", decodeCreateElicitationResponse, "elicitation"),
    told("elicitation/complete", "completeElicitation", "elicitation.url"),
  ],
};

/** A request the agent answers. */
function answered(method: string, name: string, params: Decoder<unknown>, path?: string): Method {
  return toRow("agent", "request", { method, name, params, result: null, path });
}

/** A notification to the agent. */
function heard(method: string, name: string, params: Decoder<unknown>): Method {
  return toRow("agent", "notification", { method, name, params, result: null });
}

/** A request to the client. */
function asked(method: string, name: string, result: Decoder<unknown>, path?: string): Method {
  return toRow("client", "request", { method, name, params: decodeAny, result, path });
}

/** A notification to the client. */
function told(method: string, name: string, path?: string): Method {
  return toRow("client", "notification", { method, name, params: decodeAny, result: null, path });
}

interface Particulars extends Pick<Method, "method" | "name" | "params" | "result"> {
  /** Of the capability it needs from the side that handles it. */
  readonly path?: string | undefined;
}

function toRow(side: "agent" | "client", kind: Method["kind"], { path, ...row }: Particulars): Method {
  return { ...row, side, kind, gate: path === undefined ? null : { of: side, path }, stability: "stable" };
}
