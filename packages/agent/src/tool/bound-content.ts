// Bounds what a person sees of one call, so that no line to the client is longer than clients in the field can take. Sizes
// are what the text takes on the wire.

import type { CallContent, Diff } from "../event/event.ts";
import { text } from "../message/message.ts";
import { headWithin, jsonBytes, tailWithin } from "./cut.ts";

export const MAX_CONTENT_BYTES = 40 * 1024;
export const MAX_TEXT_BYTES = 16 * 1024;
/** Field names and brackets of one part. */
const PART_BYTES = 160;
/** For saying what was left out. */
const GAP_BYTES = 80;
/** Less than this is not worth showing. */
const LEAST_BYTES = 800;
/** Of the lines around a change, as many as fit. */
const CONTEXT_LINES = [20, 5, 1];

/** The same content when it is short enough. Each part gets its share of what the parts before it left. */
export function boundContent(content: readonly CallContent[]): readonly CallContent[] {
  let leftBytes = MAX_CONTENT_BYTES - PART_BYTES - GAP_BYTES;
  const bounded: CallContent[] = [];
  for (const [at, part] of content.entries()) {
    const shareBytes = Math.floor(leftBytes / (content.length - at));
    if (shareBytes < LEAST_BYTES && bytesOf(part) > shareBytes) {
      bounded.push(text(`[… ${content.length - at} more parts left out …]`));
      break;
    }
    const fitted = fit(part, shareBytes);
    leftBytes -= bytesOf(fitted);
    bounded.push(fitted);
  }
  const isSame = bounded.length === content.length && bounded.every((part, at) => part === content[at]);
  return isSame ? content : bounded;
}

function bytesOf(part: CallContent): number {
  switch (part.type) {
    case "text":
      return PART_BYTES + jsonBytes(part.text);
    case "image":
      return PART_BYTES + part.data.length + jsonBytes(part.uri ?? "");
    case "diff":
      return PART_BYTES + jsonBytes(part.path) + jsonBytes(part.oldText ?? "") + jsonBytes(part.newText);
    case "terminal":
      return PART_BYTES + jsonBytes(part.terminalId);
  }
}

function fit(part: CallContent, maxBytes: number): CallContent {
  if (part.type === "text") {
    const textBytes = Math.min(maxBytes - PART_BYTES, MAX_TEXT_BYTES);
    return jsonBytes(part.text) <= textBytes ? part : { ...part, text: cutMiddle(part.text, textBytes) };
  }
  if (bytesOf(part) <= maxBytes) return part;
  if (part.type === "diff") return fitDiff(part, maxBytes);
  if (part.type === "terminal") return part;
  const kilobytes = Math.round((part.data.length * 3) / 4 / 1024);
  return text(`[${part.mimeType}, ${kilobytes} KB, too large to show here]`);
}

/** The touched lines with some around them; when even those are too long, without their middle. */
function fitDiff(diff: Diff, maxBytes: number): CallContent {
  for (const lines of CONTEXT_LINES) {
    const touched = touchedRegion(diff, lines);
    if (bytesOf(touched) <= maxBytes) return touched;
  }
  const { oldText, newText, ...rest } = touchedRegion(diff, 0);
  const textBytes = maxBytes - PART_BYTES - jsonBytes(rest.path);
  if (textBytes < 4 * GAP_BYTES) return text("[a diff, too large to show here]");
  const newBytes = Math.max(textBytes - jsonBytes(oldText ?? ""), Math.floor(textBytes / 2));
  const boundedNew = cutMiddle(newText, newBytes);
  const oldBytes = textBytes - jsonBytes(boundedNew);
  return { ...rest, oldText: oldText === null ? null : cutMiddle(oldText, oldBytes), newText: boundedNew };
}

function touchedRegion(diff: Diff, contextLines: number): Diff {
  const { oldText, newText } = diff;
  if (oldText === null) return diff;
  const sameHead = commonHead(oldText, newText);
  const sameTail = commonTail(oldText, newText, sameHead);
  const start = linesBack(newText, sameHead, contextLines);
  const keptTail =
    sameTail - (linesForward(newText, newText.length - sameTail, contextLines) - (newText.length - sameTail));
  return {
    ...diff,
    oldText: oldText.slice(start, oldText.length - keptTail),
    newText: newText.slice(start, newText.length - keptTail),
  };
}

function commonHead(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function commonTail(a: string, b: string, head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
}

/** The start of the line `count` lines before the one that `at` is in. */
function linesBack(text: string, at: number, count: number): number {
  let start = at;
  for (let line = 0; line <= count && start > 0; line++)
    start = text.lastIndexOf("\n", start - (line === 0 ? 1 : 2)) + 1;
  return start;
}

/** The end of the line `count` lines after the one that `at` is in. */
function linesForward(text: string, at: number, count: number): number {
  let end = at;
  for (let line = 0; line <= count && end < text.length; line++) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return end;
}

/** More of the end than of the beginning: that is where an output says how it went. */
function cutMiddle(whole: string, maxBytes: number): string {
  if (jsonBytes(whole) <= maxBytes) return whole;
  const bytes = Math.max(maxBytes - GAP_BYTES, 0);
  const headEnd = headWithin(whole, Math.floor(bytes / 4));
  const tailStart = Math.max(tailWithin(whole, bytes - Math.floor(bytes / 4)), headEnd);
  const left = (tailStart - headEnd).toLocaleString("en-US");
  return `${whole.slice(0, headEnd)}\n[… ${left} characters left out …]\n${whole.slice(tailStart)}`;
}
