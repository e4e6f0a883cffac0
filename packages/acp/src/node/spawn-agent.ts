// A client together with the agent process it drives.

import type { ClientHandlers, ClientOptions } from "../client/client-side.ts";
import { AcpClient } from "../client/client-side.ts";
import { type AgentProcess, type AgentProcessOptions, startAgentProcess } from "./agent-process.ts";

export interface SpawnAgentOptions extends AgentProcessOptions, ClientOptions {}

/** A client whose agent is a process of its own. Closing the client ends the process. */
export class SpawnedClient extends AcpClient {
  readonly process: AgentProcess;

  constructor(process: AgentProcess, handlers: ClientHandlers, options: ClientOptions) {
    super(process.stream, handlers, options);
    this.process = process;
  }
}

/**
 * Starts an agent and connects to it over its stdin and stdout. The agent gets a process group of its own; when it ends,
 * pending calls reject with its exit status and the last lines it wrote to stderr.
 */
export async function spawnAgent(
  command: readonly string[],
  handlers: ClientHandlers = {},
  options: SpawnAgentOptions = {},
): Promise<SpawnedClient> {
  return new SpawnedClient(await startAgentProcess(command, options), handlers, options);
}
