// The loop: ask the model, do what it asks for, tell it what came of it, until it asks for nothing more.

import type { TurnOutcome } from "../event/event.ts";
import { fault } from "../fault/fault.ts";
import type { FinishReason } from "../model/model.ts";
import { askModel } from "./ask-model.ts";
import type { ModelCall } from "./call-model.ts";
import type { TurnRoom } from "./room.ts";
import { runTools } from "./run-tools.ts";

/** The same call so many times in a row leads nowhere. */
const MAX_SAME_CALLS = 3;

/** Runs one turn to its outcome. Throws only what is a bug, or a journal that cannot be written. */
export async function runTurn(room: TurnRoom, usedCallIds: Set<string>, signal: AbortSignal): Promise<TurnOutcome> {
  let last = "";
  let same = 0;
  for (let step = 0; step < room.maxSteps; step++) {
    const reply = await askModel(room, usedCallIds, signal);
    if (reply.type === "cancelled") return reply;
    if (reply.type === "failed") return { type: "failed", fault: reply.fault };
    // An answer that was refused, or cut off, is not carried out: nobody knows what it would have become.
    if (reply.calls.length === 0 || reply.finish === "refusal" || reply.finish === "length") {
      return outcomeOf(reply.finish);
    }

    const asked = signature(reply.calls);
    same = asked === last ? same + 1 : 1;
    last = asked;
    await runTools(reply.messageId, reply.calls, room, signal);
    if (signal.aborted) return { type: "cancelled" };
    if (same >= MAX_SAME_CALLS) return { type: "failed", fault: loopFault(reply.calls) };
  }
  return { type: "exhausted" };
}

function outcomeOf(finish: FinishReason): TurnOutcome {
  switch (finish) {
    case "stop":
    case "calls":
      return { type: "ended" };
    case "length":
      return { type: "cut-short" };
    case "refusal":
      return { type: "refused" };
  }
}

function signature(calls: readonly ModelCall[]): string {
  return calls.map(({ name, input }) => `${name} ${canonical(input)}`).join("\n");
}

/** White space and the like do not make another call. */
function canonical(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input));
  } catch {
    return input;
  }
}

function loopFault(calls: readonly ModelCall[]) {
  const names = [...new Set(calls.map(({ name }) => name))].join(", ");
  return fault(
    "loop",
    `The model asked for the same thing ${MAX_SAME_CALLS} times in a row (${names}), so the turn was stopped.`,
  );
}
