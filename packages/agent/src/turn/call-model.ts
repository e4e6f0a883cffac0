// One request to the model: its words are told as they come, its calls are collected, its end is an outcome.

import { untilAborted } from "../abort/until-aborted.ts";
import { estimateRequest } from "../context/estimate.ts";
import { type Fault, fault } from "../fault/fault.ts";
import type { CallId, MessageId } from "../id/id.ts";
import type { FinishReason, ModelEvent, ModelRequest, Usage } from "../model/model.ts";
import type { TurnRoom } from "./room.ts";
import { Spoken } from "./spoken.ts";

export interface ModelCall {
  readonly callId: CallId;
  readonly name: string;
  readonly input: string;
  readonly opaque?: unknown;
}

export type Reply =
  | {
      readonly type: "said";
      readonly finish: FinishReason;
      readonly messageId: MessageId;
      readonly calls: readonly ModelCall[];
    }
  | { readonly type: "cancelled" }
  | {
      readonly type: "failed";
      readonly fault: Fault;
      /** Words of it were heard, and stay. */
      readonly isPartial: boolean;
    };

export async function callModel(room: TurnRoom, usedCallIds: Set<string>, signal: AbortSignal): Promise<Reply> {
  const messageId = room.ids.message();
  const spoken = new Spoken(room, messageId);
  const calls: ModelCall[] = [];
  let finish: FinishReason | undefined;
  let failure: Fault | undefined;
  let saidSomething = false;
  let saidText = false;
  let isCounted = false;
  let heardCharacters = 0;
  const request = room.request();
  try {
    for await (const event of untilAborted(room.model().stream(request, signal), signal)) {
      switch (event.type) {
        case "text-delta":
        case "reasoning-delta": {
          saidSomething = true;
          heardCharacters += event.text.length;
          saidText ||= event.type === "text-delta" && event.text.trim() !== "";
          const wait = spoken.say(event.type === "text-delta" ? "text" : "reasoning", event.text);
          if (wait !== undefined) await wait;
          break;
        }
        case "reasoning-end":
          spoken.keep(event.opaque);
          break;
        case "call":
          calls.push(toCall(event, toCallId(event.id, usedCallIds, room)));
          break;
        case "usage":
          isCounted = event.usage.inputTokens + event.usage.outputTokens > 0;
          if (isCounted) await room.used(event.usage);
          break;
        case "notice":
          await room.tell({ type: "notice", severity: "warning", message: event.message });
          break;
        case "finish":
          finish = event.reason;
          break;
        case "failed":
          failure = event.fault;
          break;
      }
    }
  } finally {
    spoken.keep();
  }
  if (signal.aborted) return { type: "cancelled" };
  if (failure !== undefined) return { type: "failed", fault: failure, isPartial: saidText };
  const isSilent = finish === "stop" && !saidSomething;
  if ((finish !== undefined && !isSilent) || calls.length > 0) {
    // Some providers do not count; the person still wants to know how full the window is.
    if (!isCounted) await room.used(guessUsage(request, heardCharacters));
    return { type: "said", finish: finish ?? "calls", messageId, calls };
  }
  const message = saidSomething
    ? "The model's answer broke off before its end. Send the prompt again to go on."
    : "The model answered nothing. Send the prompt again, or choose another model.";
  return { type: "failed", fault: fault("model", message, { retryable: true }), isPartial: saidText };
}

function guessUsage(request: ModelRequest, heardCharacters: number): Usage {
  return { inputTokens: Math.round(estimateRequest(request)), outputTokens: Math.ceil(heardCharacters / 4) };
}

function toCall({ name, input, opaque }: Extract<ModelEvent, { type: "call" }>, callId: CallId): ModelCall {
  return { callId, name, input, ...(opaque !== undefined && { opaque }) };
}

/** Longer ones are of no use to anybody, and make every frame about the call long. */
const MAX_CALL_ID_CHARS = 128;

/** The provider's id where it names one call only; clients and providers both rely on that. */
function toCallId(id: string, used: Set<string>, room: TurnRoom): CallId {
  const isUsable = id !== "" && id.length <= MAX_CALL_ID_CHARS && !used.has(id);
  const callId = isUsable ? (id as CallId) : room.ids.call();
  used.add(callId);
  return callId;
}
