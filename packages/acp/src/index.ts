/// <reference lib="esnext.disposable" preserve="true" />
// @agentao/acp: what runs anywhere. The Node parts are in ./node, features the protocol has not released in ./unstable.

export { AcpAgent, type AgentHandlers, type AgentOptions, AgentSide, type HandlersFor } from "./agent/agent-side.ts";
export { Terminal, type TerminalAddress, type TerminalCalls } from "./agent/terminal.ts";
export {
  AcpClient,
  type ClientHandlers,
  type ClientOptions,
  ClientSide,
  type LoadSessionParams,
  type NewSessionParams,
  type PromptOptions,
  type PromptTextResult,
} from "./client/client-side.ts";
export { PromptTurn } from "./client/prompt-turn.ts";
export type { InputFlow } from "./client/update-queue.ts";
export { type Decoder, explain, INVALID, type Invalid, type UnknownTag } from "./decode/decode.ts";
export { LocalError, type LocalErrorType } from "./error/local-error.ts";
export { errorCodes, RpcError } from "./error/rpc-error.ts";
export {
  Connection,
  type ConnectionOptions,
  type NotificationRoute,
  type RequestRoute,
  type Routes,
} from "./rpc/connection.ts";
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
export type {
  ErrorFrame,
  ErrorObject,
  Frame,
  Id,
  NotificationFrame,
  RequestFrame,
  ResultFrame,
} from "./stream/frame.ts";
export { memoryPair } from "./stream/memory.ts";
export type { Garbage, Receiver, Stream } from "./stream/stream.ts";
export { type WebBytes, type WebStreamOptions, webStream } from "./stream/web.ts";
export {
  agentText,
  type CompactionItem,
  emptyTranscript,
  foldTranscript,
  type MessageItem,
  type NoticeItem,
  type ToolCallItem,
  type Transcript,
  type TranscriptItem,
  type UnknownItem,
} from "./transcript/transcript.ts";
export { hasCapability } from "./v1/capability.ts";
export * from "./v1/generated/decode.ts";
export {
  type AgentNotifications,
  type AgentRequests,
  type ClientNotifications,
  type ClientRequests,
  methods,
  type ProtocolNotifications,
} from "./v1/generated/method.ts";
export type * from "./v1/generated/type.ts";
export type { Gate, Method, Side } from "./v1/method.ts";
export {
  type ParamsOf,
  type Protocol,
  type ProtocolTypes,
  type RequestTypes,
  type ResultOf,
  type UpdateOf,
  type V1,
  v1,
} from "./v1/protocol.ts";
