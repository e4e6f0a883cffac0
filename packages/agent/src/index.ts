// @agentao/agent: the runtime for hosts that embed it. An embedder hands in everything; nothing is discovered.

export type { Config } from "./config/config.ts";
export type { ModelReport } from "./config/find-models.ts";
export { findJsonFault } from "./config/json-place.ts";
export { type ConfigSource, inspectModels, loadConfig } from "./config/load.ts";
export { parseSandbox } from "./config/sandbox.ts";
export { parseSettings } from "./config/settings.ts";
export type {
  CallContent,
  CallKind,
  CallView,
  LastingEvent,
  Location,
  OnEvent,
  PassingEvent,
  PlanEntry,
  SessionEvent,
  TurnOutcome,
  UsageSnapshot,
} from "./event/event.ts";
export { eventSchema } from "./event/event-schema.ts";
export { type Fault, type FaultKind, fault } from "./fault/fault.ts";
export {
  type CallId,
  type Ids,
  type MessageId,
  parseSessionId,
  randomIds,
  type SessionId,
  type TurnId,
} from "./id/id.ts";
export type { ListedSession } from "./journal/digest.ts";
export type { DecisionEntry, Entry, EntryBody, Header } from "./journal/entry.ts";
export { journalPath } from "./journal/header.ts";
export { memoryStore } from "./journal/memory-store.ts";
export { type Damage, readEntries } from "./journal/read.ts";
export { ReferenceFolder } from "./journal/reference-folder.ts";
export { openStore, type SessionPage, type Store } from "./journal/store.ts";
export { localMachine } from "./machine/local-machine.ts";
export { type CommandOptions, type CommandResult, type Machine, MachineError } from "./machine/machine.ts";
export { probeSandbox, type SandboxProbe } from "./machine/sandbox-probe.ts";
export type { ServerConfig, ServerReport } from "./mcp/server.ts";
export type { Message, PromptPart } from "./message/message.ts";
export { createCatalogue } from "./model/catalogue.ts";
export { type AnswerFunction, createModel, type Said, type SaidCall } from "./model/create-model.ts";
export { demoModel } from "./model/demo.ts";
export { type ModelFacts, toModelInfo } from "./model/known-models.ts";
export type {
  Model,
  ModelCatalogue,
  ModelEvent,
  ModelInfo,
  ModelRequest,
  Prices,
  ToolSpec,
  Usage,
} from "./model/model.ts";
export { scenarioModel } from "./model/scenario-model.ts";
export * as script from "./model/script.ts";
export { type ScriptedModel, scriptedModel } from "./model/scripted.ts";
export type { AnswerOption } from "./permission/gate.ts";
export type { ModeId } from "./permission/mode.ts";
export type { Effect, PermissionRequest, Verdict } from "./permission/request.ts";
export { parseRules, type Rule, type RuleProblem } from "./permission/rule.ts";
export { type ConnectOptions, connectModel } from "./provider/connect-model.ts";
export { findKnownProvider, type KnownProvider, knownProviders } from "./provider/known-providers.ts";
export type { Protocol } from "./provider/provider.ts";
export { type ServeOptions, serveAcp } from "./serve/serve-acp.ts";
export type { Door, Handlers, PermissionAnswer } from "./session/door.ts";
export { EmbeddedSession, type PromptOptions, type SessionOptions } from "./session/embedded-session.ts";
export type { Opened } from "./session/opened.ts";
export { PromptTurn, type TurnResult } from "./session/prompt-turn.ts";
export { createRuntime, Runtime } from "./session/runtime.ts";
export type {
  BuiltinToolName,
  ConfiguredServers,
  ForeignSessions,
  Place,
  RuntimeOptions,
} from "./session/runtime-options.ts";
export { type PromptOutcome, Session } from "./session/session.ts";
export { SessionError, type SessionErrorType } from "./session/session-error.ts";
export type { TurnTokens } from "./session/spending.ts";
export { createTool, field, type ToolDescription } from "./tool/create-tool.ts";
export type { Field, Fields } from "./tool/input.ts";
export {
  type AnyTool,
  type CallPlan,
  defineTool,
  type PersonAnswer,
  type Question,
  type Tool,
  type ToolOutcome,
  type ToolRoom,
} from "./tool/tool.ts";
