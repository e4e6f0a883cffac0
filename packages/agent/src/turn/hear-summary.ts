// Listens to a model that was asked for a summary.

import { untilAborted } from "../abort/until-aborted.ts";
import type { PassingEvent } from "../event/event.ts";
import type { Fault } from "../fault/fault.ts";
import type { FinishReason, Model, ModelRequest, Usage } from "../model/model.ts";

export interface HearingRoom {
  model(): Model;
  tell(event: PassingEvent): Promise<void> | undefined;
  used(usage: Usage): Promise<void> | undefined;
}

export type Answer =
  | { readonly type: "said"; readonly text: string }
  | { readonly type: "unusable"; readonly overflow: boolean; readonly message: string }
  | { readonly type: "failed"; readonly message: string; readonly fault?: Fault | undefined }
  | { readonly type: "cancelled" };

/** Far more than was asked for: such an answer is not waited for. */
const MAX_HEARD_CHARS = 64_000;

export async function hearSummary(room: HearingRoom, request: ModelRequest, signal: AbortSignal): Promise<Answer> {
  let text = "";
  let calls = 0;
  let finish: FinishReason | undefined;
  for await (const event of untilAborted(room.model().stream(request, signal), signal)) {
    switch (event.type) {
      case "text-delta":
        text += event.text;
        break;
      case "call":
        calls++;
        break;
      case "usage":
        await room.used(event.usage);
        break;
      case "notice":
        await room.tell({ type: "notice", severity: "warning", message: event.message });
        break;
      case "finish":
        finish = event.reason;
        break;
      case "failed":
        if (event.fault.kind !== "overflow") {
          return { type: "failed", message: event.fault.message, fault: event.fault };
        }
        return { type: "unusable", overflow: true, message: event.fault.message };
      case "reasoning-delta":
      case "reasoning-end":
        break;
      default:
        event satisfies never;
    }
    if (text.length > MAX_HEARD_CHARS) return { type: "said", text };
  }
  if (signal.aborted) return { type: "cancelled" };
  if (finish === undefined) return { type: "failed", message: "The model's summary broke off before its end." };
  if (finish === "refusal") return { type: "failed", message: "The model refused to write a summary." };
  const isUsable = calls === 0 && text.trim() !== "";
  return isUsable
    ? { type: "said", text }
    : { type: "unusable", overflow: false, message: "The model wrote no summary." };
}
