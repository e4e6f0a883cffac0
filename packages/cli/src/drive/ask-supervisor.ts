// What is asked of an agent that another process supervises: a turn, or its end.

import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { TurnRequest } from "./driven-agent.ts";
import type { Tell, TurnEvent } from "./turn-event.ts";
import { toReachable } from "./turn-socket.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * The same events as of one's own agent; the last is `end` or `fault`. False, and nothing told, when nobody listens at the
 * socket. Never rejects: a turn that was begun is not to be taken for one that can be tried elsewhere.
 */
export async function askSupervisor(
  socketPath: string,
  request: TurnRequest,
  tell: Tell,
  signal: AbortSignal,
): Promise<boolean> {
  const socket = await reach(socketPath);
  if (socket === undefined) return false;
  const cancel = (): void => say(socket, { type: "cancel" });
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  say(socket, { type: "prompt", ...request });
  const isOver = await hear(createInterface({ input: socket }), tell, signal);
  signal.removeEventListener("abort", cancel);
  socket.destroy();
  const message = "the process that runs the agent went away in the middle of the turn";
  if (!isOver) await tell({ type: "fault", code: "transport_disconnect", message });
  return true;
}

/** False when nobody listens at the socket. That it is over is told by its status. */
export async function askToStop(socketPath: string): Promise<boolean> {
  const socket = await reach(socketPath);
  if (socket === undefined) return false;
  say(socket, { type: "stop" });
  socket.end();
  return true;
}

/** Nothing when nobody listens. A connection that breaks later is seen by its end. */
function reach(socketPath: string): Promise<Socket | undefined> {
  const socket = connect(toReachable(socketPath));
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(undefined));
  });
}

function say(socket: Socket, said: object): void {
  socket.write(`${JSON.stringify(said)}\n`);
}

/** Whether the turn came to its end. */
async function hear(lines: AsyncIterable<string>, tell: Tell, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const line of lines) {
      const event = JSON.parse(line) as TurnEvent;
      const caughtUp = tell(event);
      if (caughtUp !== undefined) await untilAborted(signal, caughtUp);
      if (event.type === "end" || event.type === "fault") return true;
    }
  } catch {
    // The connection broke, or what came over it is no event: either way nothing more comes.
  }
  return false;
}
