// One answer of the model, however many requests that takes: what may succeed later is tried again, what does not fit is
// summed up first, and an answer that broke off is kept and gone on with.

import type { Fault } from "../fault/fault.ts";
import { realDelay } from "../model/delay.ts";
import { BackOff } from "./back-off.ts";
import { callModel, type Reply } from "./call-model.ts";
import type { TurnRoom } from "./room.ts";

export async function askModel(room: TurnRoom, usedCallIds: Set<string>, signal: AbortSignal): Promise<Reply> {
  const backOff = new BackOff(room.retry);
  let isSummedUp = false;
  for (;;) {
    await room.fit(signal);
    if (signal.aborted) return { type: "cancelled" };
    const reply = await callModel(room, usedCallIds, signal);
    if (reply.type !== "failed") return reply;

    if (reply.fault.kind === "overflow") {
      if (isSummedUp) return reply;
      isSummedUp = true;
      const outcome = await room.fit(signal, { force: true });
      if (signal.aborted) return { type: "cancelled" };
      if (outcome.type === "failed") return { ...reply, fault: withReason(reply.fault, outcome.message) };
      if (outcome.type !== "compacted") return reply;
      continue;
    }

    const attempt = backOff.next;
    const waitMs = backOff.waitFor(reply.fault);
    if (waitMs === undefined) return reply;
    if (reply.isPartial) await room.record({ type: "aside", text: BROKEN_OFF });
    await room.tell({ type: "notice", severity: "warning", message: remarkOn(reply.fault, waitMs, attempt, room) });
    await realDelay(waitMs, signal);
    if (signal.aborted) return { type: "cancelled" };
  }
}

const BROKEN_OFF =
  "<context>\nYour answer broke off here, because the connection was lost. Go on exactly where it stopped; do not repeat what you said.\n</context>";

function withReason(fault: Fault, why: string): Fault {
  return { ...fault, message: `${fault.message} It could not be summed up: ${why}` };
}

function remarkOn({ message }: Fault, waitMs: number, attempt: number, { retry }: TurnRoom): string {
  return `${message} Trying again in ${Math.max(1, Math.round(waitMs / 1000))} s (attempt ${attempt} of ${retry.attempts}).`;
}
