// Whether an answer is still the same kind of answer: how it ended, why, and which fields it has. What models say differs
// from run to run, so contents are not compared.

import { atPlace } from "../json/at-place.ts";
import { isFields } from "../json/fields.ts";
import { firstDifference } from "./first-difference.ts";
import type { Answer } from "./steps.ts";

/** Fields whose values are promises to the other side. */
const PROMISES: { readonly [method: string]: readonly string[] } = {
  initialize: ["protocolVersion", "agentCapabilities"],
  "session/prompt": ["stopReason"],
  "session/request_permission": ["outcome"],
};

/** In sentences, one for each difference. */
export function compareAnswers(method: string, before: Answer, now: Answer): string[] {
  if (before.type === "result" && now.type === "result") return compareResults(method, before.result, now.result);
  if (before.type === "error" && now.type === "error") {
    const [was, is] = [codeOf(before.error), codeOf(now.error)];
    return was === is ? [] : [`${method} failed with ${was}, and fails with ${is} now`];
  }
  if (now.type === "error") return [`${method} was answered, and fails now: ${describeError(now.error)}`];
  return [`${method} failed (${describeError((before as { error: unknown }).error)}), and is answered now`];
}

function compareResults(method: string, before: unknown, now: unknown): string[] {
  if (!isFields(before) || !isFields(now)) {
    return typeOf(before) === typeOf(now) ? [] : [`${method}: the result was ${typeOf(before)}, and is ${typeOf(now)}`];
  }
  const promised = PROMISES[method] ?? [];
  const names = new Set([...Object.keys(before), ...Object.keys(now)].filter((name) => name !== "_meta"));
  return [...names].flatMap((name) => {
    const [was, is] = [before[name], now[name]];
    if (typeOf(was) !== typeOf(is)) return [`${method}: ${name} was ${typeOf(was)}, and is ${typeOf(is)}`];
    if (!promised.includes(name)) return [];
    const place = firstDifference(was, is);
    if (place === undefined) return [];
    return [`${method}: ${name}${place} was ${show(atPlace(was, place))}, and is ${show(atPlace(is, place))}`];
  });
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? "absent";
}

/** Null and absent mean the same on this wire. */
function typeOf(value: unknown): string {
  if (value === undefined || value === null) return "absent";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function codeOf(error: unknown): unknown {
  return isFields(error) ? error.code : undefined;
}

function describeError(error: unknown): string {
  return isFields(error) ? `${String(error.code)} ${String(error.message)}` : "an error that is no object";
}
