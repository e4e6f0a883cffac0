// An agent on this process's stdin and stdout.

import type { AgentOptions, HandlersFor } from "../agent/agent-side.ts";
import { AcpAgent } from "../agent/agent-side.ts";
import type { Stream } from "../stream/stream.ts";
import { type NodeStreamOptions, nodeStream } from "./node-stream.ts";
import { ownStdout } from "./own-stdout.ts";

/**
 * Serves an agent over stdio. From here on stdout carries nothing but the protocol: what anything else prints goes to
 * stderr. When the client closes stdin, or is gone, open handlers are aborted and may finish, their answers are sent,
 * and the process is free to exit by itself, with code 0.
 */
export function serveStdio(handlers: HandlersFor, options: AgentOptions & NodeStreamOptions = {}): AcpAgent {
  return new AcpAgent(stdioStream(options), handlers, options);
}

/** Stdin and stdout as a stream; takes stdout like `serveStdio`. For agents that are built in another way. */
export function stdioStream(options?: NodeStreamOptions): Stream {
  const output = ownStdout();
  return nodeStream(process.stdin, output, options);
}
