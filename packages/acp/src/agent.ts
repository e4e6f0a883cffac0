/// <reference lib="esnext.disposable" preserve="true" />
// @agentao/acp/agent: all an agent needs under Node, and nothing a client needs, so that it starts sooner.

export { AcpAgent, type AgentHandlers, type AgentOptions, AgentSide, type HandlersFor } from "./agent/agent-side.ts";
export { Terminal, type TerminalAddress, type TerminalCalls } from "./agent/terminal.ts";
export { LocalError, type LocalErrorType } from "./error/local-error.ts";
export { errorCodes, RpcError } from "./error/rpc-error.ts";
export { type NodeOutput, type NodeStreamOptions, nodeStream } from "./node/node-stream.ts";
export { ownStdout } from "./node/own-stdout.ts";
export { serveStdio, stdioStream } from "./node/serve-stdio.ts";
export type { Diagnostic, OnDiagnostic } from "./rpc/diagnostic.ts";
export type {
  Awaitable,
  ExtensionHandlers,
  NotificationHandler,
  NotificationHandlers,
  RequestHandler,
  RequestHandlers,
} from "./rpc/handler.ts";
export type { RequestOptions } from "./rpc/pending-request.ts";
export { RequestContext } from "./rpc/request-context.ts";
export type { Receiver, Stream } from "./stream/stream.ts";
export type * from "./v1/generated/type.ts";
