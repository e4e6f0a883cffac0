// A call that our own runtime did not run, by a rule or by the mode, as a refusal of this run.

import type { SessionUpdate, Transcript } from "@agentao/acp";
import { denialIn } from "../front/denial.ts";
import { type Refusal, toRefusedCall } from "./refusal.ts";

export function findDenial(update: SessionUpdate, { items }: Transcript, cwd: string): Refusal | undefined {
  if (update.sessionUpdate !== "tool_call_update" || update.status !== "failed") return undefined;
  const denial = denialIn(update._meta);
  const item = items.find((one) => one.type === "tool-call" && one.toolCallId === update.toolCallId);
  if (denial === undefined || item?.type !== "tool-call") return undefined;
  const { because, rule } = denial;
  return {
    type: "permission-denied",
    call: toRefusedCall(item, cwd),
    because: `${because.replace(/\.$/, "")}.`,
    ...(rule !== undefined && { rule }),
  };
}
