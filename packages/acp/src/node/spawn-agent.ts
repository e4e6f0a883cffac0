// A client together with the agent process it drives.

import { AcpClient, type ClientHandlers, type ClientOptions } from "../client/acp-client.ts";
import type { ProtocolTypes, V1 } from "../v1/protocol.ts";
import { type AgentProcess, type AgentProcessOptions, startAgentProcess } from "./agent-process.ts";

export interface SpawnAgentOptions<Types extends ProtocolTypes = V1>
  extends AgentProcessOptions,
    ClientOptions<Types> {}

/** A client whose agent is a process of its own. Closing the client ends the process. */
export class SpawnedClient<Types extends ProtocolTypes = V1> extends AcpClient<Types> {
  readonly process: AgentProcess;

  constructor(process: AgentProcess, handlers: ClientHandlers<Types>, options: ClientOptions<Types>) {
    super(process.stream, handlers, options);
    this.process = process;
  }
}

/**
 * Starts an agent and connects to it over its stdin and stdout. The agent gets a process group of its own; when it ends,
 * pending calls reject with its exit status and the last lines it wrote to stderr.
 */
export async function spawnAgent<Types extends ProtocolTypes = V1>(
  command: readonly [string, ...string[]],
  handlers: ClientHandlers<NoInfer<Types>> = {},
  options: SpawnAgentOptions<Types> = {},
): Promise<SpawnedClient<Types>> {
  return new SpawnedClient(await startAgentProcess(command, options), handlers, options);
}
