// What a turn of a driven agent tells, to whoever asked for it: in this process, or over a socket.

import type { SessionUpdate, StopReason } from "@agentao/acp";
import type { DriveFaultCode } from "./drive-fault.ts";
import type { Interaction } from "./policy.ts";

export type TurnEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  | {
      readonly type: "tool";
      readonly id: string;
      readonly title?: string | undefined;
      readonly status?: string | undefined;
    }
  /** The last one, as is `fault`. */
  | { readonly type: "end"; readonly stopReason: StopReason; readonly interactions: readonly Interaction[] }
  | { readonly type: "fault"; readonly code: DriveFaultCode; readonly message: string };

/** Hears the events of a turn, in order. Where it answers a promise, the agent waits until whoever listens has caught up. */
export type Tell = (event: TurnEvent) => void | Promise<void>;

/** Nothing for updates a line of text cannot show. */
export function toTurnEvent(update: SessionUpdate): TurnEvent | undefined {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return update.content.type === "text" ? { type: "text", text: update.content.text } : undefined;
    case "agent_thought_chunk":
      return update.content.type === "text" ? { type: "thought", text: update.content.text } : undefined;
    case "tool_call":
    case "tool_call_update": {
      const { toolCallId: id, title, status } = update;
      return { type: "tool", id, ...(title && { title }), ...(status && { status }) };
    }
    default:
      return undefined;
  }
}
