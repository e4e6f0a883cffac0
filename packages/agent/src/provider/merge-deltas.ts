// Deltas that came together, put together: where a provider sends faster than they are read, many small events of a
// stream arrive in one chunk, and each costs the libraries as much as a large one. Works on bytes, waits for nothing, and
// leaves alone whatever it does not know for certain.

import type { Protocol } from "./provider.ts";

/** Smaller chunks are no backlog. */
const MIN_CHUNK_BYTES = 4_096;
/** A piece of text stays so small that it still looks like streaming. */
const MAX_MERGED_BYTES = 512;

/** Strings that may be joined; in JSON text these marks cannot stand inside a string. */
const MARKS: Record<Protocol, readonly string[]> = {
  chat: ['"content":"', '"reasoning_content":"', '"reasoning":"', '"arguments":"'],
  messages: ['"text":"', '"thinking":"', '"partial_json":"'],
  responses: ['"delta":"'],
  gemini: ['"text":"'],
};

/** For the chunks of one response, in order. */
export function mergeDeltas(protocol: Protocol): (chunk: Uint8Array) => Uint8Array {
  const marks = MARKS[protocol];
  let isAtBoundary = true;
  return (chunk) => {
    const startsClean = isAtBoundary;
    const { length } = chunk;
    isAtBoundary = chunk[length - 1] === LINE_FEED && chunk[length - 2] === LINE_FEED;
    if (length < MIN_CHUNK_BYTES) return chunk;
    // One character per byte: whatever is not ASCII stays as it is.
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, length).toString("latin1");
    return Buffer.from(mergeText(text, startsClean, marks), "latin1");
  };
}

const LINE_FEED = 10;

/** An event around a string: all but the string is the same in the events that are joined, or counts up. */
interface Shape {
  readonly head: string;
  readonly tail: string;
}

interface Split extends Shape {
  readonly body: string;
}

function mergeText(text: string, startsClean: boolean, marks: readonly string[]): string {
  let at = startsClean ? 0 : text.indexOf("\n\n") + 2;
  if (!startsClean && at === 1) return text;
  let merged = text.slice(0, at);
  let shape: Shape | undefined;
  let body = "";
  const flush = (): void => {
    if (shape !== undefined) merged += shape.head + body + shape.tail;
    shape = undefined;
  };
  for (;;) {
    const end = text.indexOf("\n\n", at);
    if (end === -1) break;
    const event = text.slice(at, end + 2);
    at = end + 2;
    const split: Split | undefined = (shape && splitLike(event, shape)) ?? splitEvent(event, marks);
    if (split === undefined) {
      flush();
      merged += event;
    } else if (shape !== undefined && isAlike(shape, split) && body.length + split.body.length <= MAX_MERGED_BYTES) {
      body += split.body;
      // Counts are those of the last event.
      shape = split;
    } else {
      flush();
      shape = split;
      body = split.body;
    }
  }
  flush();
  return merged + text.slice(at);
}

/** The usual case, and quick: nothing but the string differs. */
function splitLike(event: string, { head, tail }: Shape): Split | undefined {
  const end = event.length - tail.length;
  if (end < head.length || !event.startsWith(head) || !event.endsWith(tail)) return undefined;
  return closingQuote(event, head.length) === end ? { head, tail, body: event.slice(head.length, end) } : undefined;
}

function splitEvent(event: string, marks: readonly string[]): Split | undefined {
  if (!event.startsWith("data:") && !event.startsWith("event:")) return undefined;
  let start = -1;
  for (const mark of marks) {
    const found = event.indexOf(mark);
    if (found === -1) continue;
    // Two strings, or one twice: which of them grows?
    if (start !== -1 || event.includes(mark, found + mark.length)) return undefined;
    start = found + mark.length;
  }
  const end = start === -1 ? -1 : closingQuote(event, start);
  if (end === -1) return undefined;
  const head = event.slice(0, start);
  const tail = event.slice(end);
  // A call, or its beginning: the next one may look the same and be another.
  if (head.includes('"name":') || tail.includes('"name":')) return undefined;
  return { head, tail, body: event.slice(start, end) };
}

function isAlike(shape: Shape, other: Shape): boolean {
  if (shape.head === other.head && shape.tail === other.tail) return true;
  return (
    shape.head.replace(NUMBER, "") === other.head.replace(NUMBER, "") && uncounted(shape.tail) === uncounted(other.tail)
  );
}

/** Usage so far, and the padding with which OpenAI hides the length of its deltas. */
function uncounted(tail: string): string {
  return tail
    .replace(NUMBER, "")
    .replace(/"obfuscation":"\w*"/, "")
    .replace(/(TokenCount|_tokens)":\d+/g, '$1":0');
}

const NUMBER = /"sequence_number":\d+/;

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH && at - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

const BACKSLASH = 92;
