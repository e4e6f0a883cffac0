// Whether a value is what the schema says: where it is not, what was expected there, and what came instead. Pure.

import { type Decoder, explain, INVALID } from "@agentao/acp";
import { atPlace } from "../json/at-place.ts";
import { isFields } from "../json/fields.ts";
import { redactFrame } from "../secret/redact-frame.ts";
import { firstDifference } from "./first-difference.ts";
import type { Breach } from "./recording.ts";

const MAX_SHOWN = 80;

/** Nothing when it fits. */
export function checkValue(
  rule: "bad-params" | "bad-result",
  method: string,
  decode: Decoder<unknown>,
  value: unknown,
): Breach | undefined {
  const decoded = decode(value);
  if (decoded === value) return undefined;
  if (decoded === INVALID) {
    const problem = explain();
    const [place = ""] = problem.startsWith("/") ? problem.split(": ", 1) : [];
    return { rule, message: `${method}: ${problem}, got ${show(value, place)}` };
  }
  // Nothing, where there is nothing to say, is how many peers answer.
  if (value === null || value === undefined) return undefined;
  const place = firstDifference(value, decoded);
  if (place === undefined) return undefined;
  const taken = show(decoded, place);
  const reading = taken === "nothing" ? "and is ignored" : `and is read as ${taken}`;
  return {
    rule: "repaired",
    message: `${method}: ${place || "/"}: got ${show(value, place)}, which does not fit, ${reading}`,
  };
}

export function checkError(error: unknown): Breach | undefined {
  if (!isFields(error)) return badError(`the error is not an object, but ${show(error, "")}`);
  if (!Number.isInteger(error.code)) return badError(`/code: expected an integer, got ${show(error, "/code")}`);
  if (typeof error.message !== "string") return badError(`/message: expected a string, got ${show(error, "/message")}`);
  return undefined;
}

function badError(message: string): Breach {
  return { rule: "bad-error", message };
}

/** What is at a place of a value, without secrets and not all of it. */
function show(value: unknown, place: string): string {
  const text = JSON.stringify(atPlace(redactFrame(value), place)) ?? "nothing";
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
