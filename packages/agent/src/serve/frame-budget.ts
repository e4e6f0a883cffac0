// No line we send is longer than 48 KiB: clients in the field die at 64. Text is split, everything else is bounded, and
// what was left out is said.

import type { SessionUpdate } from "@agentao/acp";
import { isDeeperThan } from "../mcp/nesting.ts";

/** Room for one update; the envelope and the session's id come on top. */
const MAX_UPDATE_BYTES = 46 * 1024;

/** Text this short fits however it is escaped: six bytes for a character at the most. */
const SAFE_CHARS = 7_500;

/** Of lists and objects in each other. */
const MAX_DEPTH = 64;
const TOO_DEEP = "[nested too deep to show here]";

/** How long a string inside an update may be, tried in turn until it fits. */
const LIMITS = [20_000, 10_000, 5_000, 2_000, 800, 200, 60];

/** The update as one or more that fit. Text chunks are split, so that nothing is lost; others lose their middles. */
export function fitUpdate(update: SessionUpdate): SessionUpdate[] {
  if (isTextChunk(update)) {
    if (update.content.text.length <= SAFE_CHARS) return [update];
    return split(update.content.text).map((text) => ({ ...update, content: { ...update.content, text } }));
  }
  if (bytesOf(update) <= MAX_UPDATE_BYTES) return [update];
  if ("content" in update && isBulky(update.content)) return [placeholder(update)];
  return [fitFields(update)];
}

/**
 * The same object with what is free in it bounded as far as it takes. Names, ids and tags of the protocol stay; what
 * does not become small enough even so is left out, the raw fields first.
 */
export function fitFields<T extends object>(value: T): T {
  if (fits(value)) return value;
  for (const limit of LIMITS) {
    const smaller = boundFree(value, limit) as T;
    if (fits(smaller)) return smaller;
  }
  let least = boundFree(value, LIMITS.at(-1) ?? 0);
  for (const field of DISPENSABLE) {
    least = without(least, field);
    if (fits(least as object)) break;
  }
  return least as T;
}

/** Whether an object can be sent as it is. */
export function fits(value: object): boolean {
  return bytesOf(value) <= MAX_UPDATE_BYTES;
}

type TextChunk = Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" }> & {
  content: { type: "text"; text: string };
};

function isTextChunk(update: SessionUpdate): update is TextChunk {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return update.content.type === "text";
    default:
      return false;
  }
}

function split(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + SAFE_CHARS, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/** An image or a sound cannot lose its middle; it is named instead. */
function isBulky(content: unknown): content is { type: "image" | "audio"; mimeType: string; data: string } {
  const { type } = (content ?? {}) as { type?: unknown };
  return type === "image" || type === "audio";
}

function placeholder(update: SessionUpdate): SessionUpdate {
  const { content, ...rest } = update as { content: { type: string; mimeType: string; data: string } };
  const kilobytes = Math.round((content.data.length * 3) / 4 / 1024);
  const text = `[${content.type}: ${content.mimeType}, ${kilobytes} KB, too large to show here]`;
  return { ...rest, content: { type: "text", text } } as unknown as SessionUpdate;
}

/** Fields whose values the protocol reads: they are sent whole or not at all. */
const KEPT: ReadonlySet<string> = new Set([
  "sessionUpdate",
  "sessionId",
  "toolCallId",
  "messageId",
  "terminalId",
  "optionId",
  "type",
  "kind",
  "status",
  "path",
  "mode",
]);

/** Left out, in this order, when nothing else helps. */
const DISPENSABLE = ["rawInput", "rawOutput", "content", "locations", "options", "entries"];

/** Bounds strings and lists; whatever lies below a raw field is bounded whole, its names too. */
function boundFree(value: unknown, limit: number, depth = MAX_DEPTH): unknown {
  if (typeof value === "string") return boundString(value, limit);
  if (typeof value !== "object" || value === null) return value;
  if (depth <= 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.slice(0, limit).map((item) => boundFree(item, limit, depth - 1));
  if (isBulky(value)) return { type: "text", text: `[${value.type}: ${value.mimeType}, too large to show here]` };
  if (isBlob(value)) return { uri: value.uri, text: "[binary content, too large to show here]" };
  const bounded = Object.entries(value).map(([key, inner]) => {
    if (KEPT.has(key)) return [key, inner];
    return [
      key,
      key === "rawInput" || key === "rawOutput"
        ? boundRaw(inner, limit, depth - 1)
        : boundFree(inner, limit, depth - 1),
    ];
  });
  return Object.fromEntries(bounded);
}

function boundRaw(value: unknown, limit: number, depth: number): unknown {
  if (typeof value === "string") return boundString(value, limit);
  if (typeof value !== "object" || value === null) return value;
  if (depth <= 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.slice(0, limit).map((item) => boundRaw(item, limit, depth - 1));
  const entries = Object.entries(value).slice(0, limit);
  return Object.fromEntries(
    entries.map(([key, inner]) => [boundString(key, limit), boundRaw(inner, limit, depth - 1)]),
  );
}

function without(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, field));
  if (typeof value !== "object" || value === null) return value;
  const rest = Object.entries(value).filter(([key]) => key !== field);
  return Object.fromEntries(rest.map(([key, inner]) => [key, without(inner, field)]));
}

function isBlob(value: object): value is { uri: string; blob: string } {
  return typeof (value as { blob?: unknown }).blob === "string";
}

function boundString(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let head = Math.ceil(limit / 2);
  let tail = text.length - Math.floor(limit / 2);
  if (isHighSurrogate(text.charCodeAt(head - 1))) head--;
  if (isLowSurrogate(text.charCodeAt(tail))) tail++;
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}

/** What nests too deep fits nowhere: neither we nor others could write it down. */
function bytesOf(value: object): number {
  if (isDeeperThan(value, MAX_DEPTH)) return Number.POSITIVE_INFINITY;
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
