// One line of a journal: an entry as JSON text, and back. What this version does not know is passed on as it came.

import { type Fields, isFields } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";
import type { Entry, EntryBody } from "./entry.ts";

/** Longer lines are neither written nor read. Node cannot hold a text of more than twice this. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** What is written for a body. A fault's cause stays out: it can hold keys, headers, whole requests, or cycles. */
export function toEntry(body: EntryBody, at: number): Entry {
  if (body.type !== "turn-ended" || body.outcome.type !== "failed") return { at, ...body };
  const { cause: _, ...fault } = body.outcome.fault;
  return { at, ...body, outcome: { type: "failed", fault } };
}

export function toLine(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Nothing when the line is not JSON, not an entry, or an entry whose shape would mislead whoever folds it. */
export function parseLine(line: string): Entry | undefined {
  const value = parseJson(line);
  if (!isFields(value) || !isText(value.type) || !Number.isFinite(value.at)) return undefined;
  const hasShape = SHAPES.get(value.type);
  return hasShape === undefined || hasShape(value) ? (value as unknown as Entry) : undefined;
}

const SHAPES = new Map<string, (entry: Fields) => boolean>([
  ["session", ({ id, cwd, version }) => isText(id) && isText(cwd) && typeof version === "number"],
  [
    "prompt",
    ({ turnId, message }) => isText(turnId) && isFields(message) && isText(message.id) && isParts(message.parts),
  ],
  ["text", ({ messageId, text }) => isText(messageId) && isText(text)],
  ["reasoning", ({ messageId, text }) => isText(messageId) && isText(text)],
  ["call", ({ messageId, call, rawInput }) => isText(messageId) && isCall(call) && isText(rawInput)],
  ["aside", ({ text }) => isText(text)],
  ["trimmed", ({ callIds }) => Array.isArray(callIds) && callIds.every(isText)],
  ["summary", ({ compactionId, text, through }) => isText(compactionId) && isText(text) && isText(through)],
  ["call-running", ({ callId }) => isText(callId)],
  ["call-ended", ({ callId, told }) => isText(callId) && isParts(told)],
  ["plan", ({ entries }) => Array.isArray(entries) && entries.every(isFields)],
  ["mode", ({ modeId }) => isText(modeId)],
  ["model", ({ modelId }) => isText(modelId)],
  ["thought-level", ({ level }) => isText(level)],
  ["title", ({ title }) => isText(title)],
  ["usage", ({ usage }) => isFields(usage)],
  ["turn-ended", ({ turnId, outcome }) => isText(turnId) && isOutcome(outcome)],
  ["roots", ({ cwd }) => isText(cwd)],
]);

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCall(value: unknown): boolean {
  return isFields(value) && isText(value.callId) && isText(value.name);
}

function isOutcome(value: unknown): boolean {
  return isFields(value) && isText(value.type) && (value.type !== "failed" || isFields(value.fault));
}

function isParts(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => isFields(part) && (part.type !== "text" || isText(part.text)));
}
