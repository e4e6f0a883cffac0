// Finds out that our own runtime refused a call by a rule or by the mode, from what it tells about the call's end.

import type { SessionUpdate, Transcript } from "@agentao/acp";
import { type Refusal, toRefusedCall } from "./refusal.ts";

const DENIED = /^Denied: \S+ \([\s\S]*?\) was not run, because ([\s\S]+?)\. Do not try it again/;

/** Only for our own agent: the words are its own. */
export function findDenial(update: SessionUpdate, { items }: Transcript, cwd: string): Refusal | undefined {
  if (update.sessionUpdate !== "tool_call_update" || update.status !== "failed") return undefined;
  const { rawOutput, toolCallId } = update;
  const because = typeof rawOutput === "string" ? DENIED.exec(rawOutput)?.[1] : undefined;
  const item = items.find((one) => one.type === "tool-call" && one.toolCallId === toolCallId);
  if (because === undefined || item?.type !== "tool-call") return undefined;
  const rule = /^a rule \((.+)\) says /.exec(because)?.[1];
  return {
    type: "permission-denied",
    call: toRefusedCall(item, cwd),
    because: `${because.replace(/\.$/, "")}.`,
    ...(rule !== undefined && { rule }),
  };
}
