// A turn of an agent that another process supervises.

import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { TurnRequest } from "./driven-agent.ts";
import type { TurnEvent } from "./turn-event.ts";

/** The same events as of one's own agent; the last is `end` or `fault`. Rejects when nobody listens at the socket. */
export async function askSupervisor(
  socketPath: string,
  request: TurnRequest,
  tell: (event: TurnEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = connect(socketPath);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  const cancel = (): void => void socket.write(`${JSON.stringify({ type: "cancel" })}\n`);
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  socket.on("error", () => {});
  socket.write(`${JSON.stringify({ type: "prompt", ...request })}\n`);
  let isOver = false;
  for await (const line of createInterface({ input: socket })) {
    const event = JSON.parse(line) as TurnEvent;
    isOver ||= event.type === "end" || event.type === "fault";
    tell(event);
  }
  signal.removeEventListener("abort", cancel);
  socket.destroy();
  const message = "the process that runs the agent went away in the middle of the turn";
  if (!isOver) tell({ type: "fault", code: "transport_disconnect", message });
}
