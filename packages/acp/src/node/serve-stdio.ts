// An agent on this process's stdin and stdout.

import { AcpAgent, type AgentOptions, type HandlersFor } from "../agent/acp-agent.ts";
import type { ProtocolTypes, V1 } from "../v1/protocol.ts";
import { type NodeStreamOptions, nodeStream } from "./node-stream.ts";
import { ownStdout } from "./own-stdout.ts";

/**
 * Serves an agent over stdio. From here on stdout carries nothing but the protocol: what anything else prints goes to
 * stderr. When the client closes stdin, or is gone, open handlers are aborted and may finish, their answers are sent,
 * and the process is free to exit by itself, with code 0.
 */
export function serveStdio<Types extends ProtocolTypes = V1>(
  handlers: HandlersFor<NoInfer<Types>>,
  options: AgentOptions<Types> & NodeStreamOptions = {},
): AcpAgent<Types> {
  const output = ownStdout();
  return new AcpAgent<Types>(nodeStream(process.stdin, output, options), handlers, options);
}
