// The recorded answer to a permission question, for an agent that names its options anew each time.

import { isFields } from "../json/fields.ts";
import type { Question, Said } from "./steps.ts";

/** The same choice by its kind, where there is no option of that name now. */
export function toOffered(result: unknown, before: Said, now: Question): unknown {
  if (now.method !== "session/request_permission" || !isFields(result) || !isFields(result.outcome)) return result;
  const { optionId } = result.outcome;
  const chosen = optionsOf(before).find((option) => option.optionId === optionId);
  const offered = optionsOf(now);
  if (chosen === undefined || offered.some((option) => option.optionId === optionId)) return result;
  const alike = offered.find((option) => option.kind === chosen.kind);
  return alike === undefined ? result : { ...result, outcome: { ...result.outcome, optionId: alike.optionId } };
}

function optionsOf(said: Said): readonly { readonly optionId?: unknown; readonly kind?: unknown }[] {
  const options = "params" in said && isFields(said.params) ? said.params.options : undefined;
  return Array.isArray(options) ? options.filter(isFields) : [];
}
