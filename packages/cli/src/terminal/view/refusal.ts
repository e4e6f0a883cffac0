// Why a call was not run, for the person who may have refused it: what the model is told of it says more, and to the model.
// Pure.

import type { ToolCallItem } from "@agentao/acp";
import { saidText } from "./content.ts";

/** As our own agent words it. */
const DENIED = /^Denied: [\s\S]*? was not run, because ([\s\S]+?)\. Do not try it again/;

/** Nothing where it was run, or failed in another way. */
export function refusalWords({ status, content }: ToolCallItem): string | undefined {
  if (status !== "failed") return undefined;
  const [, because] = DENIED.exec(content.map((one) => saidText(one, "")).join("\n")) ?? [];
  if (because === undefined) return undefined;
  if (because === "the person rejected it") return "refused by you";
  const [, rule] = /^a rule \((.+)\) says deny$/.exec(because) ?? [];
  return rule === undefined ? `refused: ${because.replace(/^the person /, "you ")}` : `refused by a rule: ${rule}`;
}
