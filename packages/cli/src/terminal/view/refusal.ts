// Why a call was not run, for the person who may have refused it. Pure.

import type { ToolCallItem } from "@agentao/acp";
import { denialIn } from "../../front/denial.ts";
import { cleanLine } from "../../text/plain.ts";

/** Nothing where it was run, or failed in another way. */
export function refusalWords({ status, _meta }: ToolCallItem): string | undefined {
  const denial = status === "failed" ? denialIn(_meta) : undefined;
  if (denial === undefined) return undefined;
  const { because, rule } = denial;
  if (because === "the person rejected it") return "refused by you";
  if (rule !== undefined) return `refused by a rule: ${cleanLine(rule)}`;
  return `refused: ${cleanLine(because).replace(/^the person /, "you ")}`;
}
