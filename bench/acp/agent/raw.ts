// The agent under test without a library.

import { PING, PREPARE, prepare, REPLAYED, stream, toCount, USAGE, usage } from "../job/agent-job.ts";
import { type RawFrame, readFrames, writeFrame } from "../job/raw-loop.ts";
import type { Update } from "../job/traffic.ts";

const sessionId = "bench-session";

readFrames(process.stdin, (frame) => {
  const result = answer(frame);
  if (result instanceof Promise) void result.then((value) => respond(frame, value));
  else respond(frame, result);
});

function respond({ id }: RawFrame, result: unknown): void {
  if (id !== undefined) void writeFrame(process.stdout, { id, result });
}

function answer({ method, params }: RawFrame): unknown {
  switch (method) {
    case PING:
      return params;
    case PREPARE:
      return prepare(params);
    case USAGE:
      return usage();
    case "initialize":
      return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
    case "session/new":
      return { sessionId };
    case "session/load":
      return stream(REPLAYED, send).then(() => ({}));
    case "session/prompt":
      return stream(toCount((params as { prompt: unknown[] }).prompt), send).then(() => ({ stopReason: "end_turn" }));
    default:
      throw new Error(`the raw agent does not know ${method}`);
  }
}

function send(update: Update): Promise<void> | undefined {
  return writeFrame(process.stdout, { method: "session/update", params: { sessionId, update } });
}
