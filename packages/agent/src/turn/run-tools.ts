// The calls of one step: those that only look run side by side, those that change something run in order.

import type { MessageId } from "../id/id.ts";
import { invoke, isHarmless, type PreparedCall, prepare } from "../tool/invoke.ts";
import type { ModelCall } from "./call-model.ts";
import type { TurnRoom } from "./room.ts";

/** Every call has ended when this resolves: done, failed, denied, or cancelled. One does not stop the others. */
export async function runTools(
  messageId: MessageId,
  calls: readonly ModelCall[],
  room: TurnRoom,
  signal: AbortSignal,
): Promise<void> {
  const toolset = room.toolset();
  let together: Promise<void>[] = [];
  for (const call of calls) {
    const prepared = prepare(call, toolset, room.tools);
    if (isHarmless(prepared)) {
      together.push(invokeCall(messageId, prepared, call.opaque, room, signal));
      continue;
    }
    await Promise.all(together);
    together = [];
    await invokeCall(messageId, prepared, call.opaque, room, signal);
  }
  await Promise.all(together);
}

function invokeCall(
  messageId: MessageId,
  call: PreparedCall,
  opaque: unknown,
  room: TurnRoom,
  signal: AbortSignal,
): Promise<void> {
  return invoke(
    call,
    {
      tools: room.tools,
      gate: room.gate,
      announce: (view, rawInput) =>
        room.record({ type: "call", messageId, call: view, rawInput, ...(opaque !== undefined && { opaque }) }),
      decided: (verdict) => room.decided(call.callId, verdict),
      started: () => room.record({ type: "call-running", callId: call.callId }),
      progress: (content) => void room.tell({ type: "call-output", callId: call.callId, content }),
      ended: (outcome) => room.record({ type: "call-ended", callId: call.callId, ...outcome }),
      linger: (work) => room.linger(work),
    },
    signal,
  );
}
