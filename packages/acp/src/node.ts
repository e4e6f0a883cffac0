// @agentao/acp/node: processes, pipes, stdio, and what a client can lend its agent on this machine.

export { AgentProcess, type AgentProcessOptions, type ExitStatus, startAgentProcess } from "./node/agent-process.ts";
export { createFileHandlers, type FileHandlers, type FileOptions } from "./node/files.ts";
export type { HandlerContext } from "./node/handler-context.ts";
export { type NodeOutput, type NodeStreamOptions, nodeStream } from "./node/node-stream.ts";
export { ownStdout } from "./node/own-stdout.ts";
export type { Roots } from "./node/roots.ts";
export { serveStdio, stdioStream } from "./node/serve-stdio.ts";
export { type SpawnAgentOptions, SpawnedClient, spawnAgent } from "./node/spawn-agent.ts";
export { createTerminalHandlers, type TerminalHandlers, type TerminalOptions } from "./node/terminals.ts";
