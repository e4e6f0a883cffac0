// Streamed text is most of the traffic: `session/update` frames that differ in nothing but one string. This file knows
// their exact shape, so that writing one costs the escaping of its text, and reading one the parsing of its text.
// Anything that deviates by a single field takes the general path.

import type { Frame } from "./frame.ts";

export interface TextChunkParams {
  sessionId: string;
  update: {
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk";
    content: { type: "text"; text: string };
    messageId?: string;
  };
}

/** The text with everything around it cut off, as the head and the tail of a line. */
export interface Mould {
  sessionId: string;
  sessionUpdate: string;
  messageId: string | undefined;
  head: string;
  tail: string;
}

/** Answers and thoughts of a few sessions interleave: as many moulds are kept, the oldest goes first. */
const MAX_MOULDS = 4;

/** After so many chunks in a row that fitted no mould, only every so many-th is still tried. */
const PATIENCE = 64;

/**
 * Reads text chunks. After one full parse of a text chunk, a line with the same head and tail is that chunk with another
 * text: JSON allows one reading only, provided that what lies between is one complete string.
 */
export class TextChunkReader {
  readonly #moulds: Mould[] = [];
  #misses = 0;

  /** The frame in `block` from `start` to `end`, or nothing when it is no chunk seen before with another text. */
  read(block: string, start: number, end: number): Frame | undefined {
    const moulds = this.#moulds;
    for (let at = 0; at < moulds.length; at++) {
      const mould = moulds[at] as Mould;
      const from = start + mould.head.length;
      const to = end - mould.tail.length;
      if (to - from < 2 || block.charCodeAt(from) !== QUOTE || block.charCodeAt(to - 1) !== QUOTE) continue;
      if (!block.startsWith(mould.head, start) || !block.startsWith(mould.tail, to)) continue;
      const text = parseString(block.slice(from, to));
      if (text === undefined) return undefined;
      this.#misses = 0;
      return pour(mould, text);
    }
    return undefined;
  }

  /** Shown the frames that were parsed in full. Backs off while a peer's chunks keep changing their shape. */
  learn(frame: unknown, block: string, start: number, end: number): void {
    if (!isTextChunkFrame(frame)) return;
    this.#misses++;
    if (this.#misses > PATIENCE && this.#misses % PATIENCE !== 0) return;
    const { sessionId, update } = frame.params;
    const line = block.slice(start, end);
    const literal = JSON.stringify(update.content.text);
    const at = line.indexOf(literal, line.indexOf('"text":'));
    if (at < 0) return;
    const mould: Mould = {
      sessionId,
      sessionUpdate: update.sessionUpdate,
      messageId: update.messageId,
      head: line.slice(0, at),
      tail: line.slice(at + literal.length),
    };
    if (isSound(mould)) keep(this.#moulds, mould);
  }
}

const QUOTE = 34;

export function keep(moulds: Mould[], mould: Mould): void {
  if (moulds.unshift(mould) > MAX_MOULDS) moulds.pop();
}

function pour(mould: Mould, text: string): Frame {
  const content = { type: "text", text };
  const { sessionUpdate, messageId } = mould;
  const update = messageId === undefined ? { sessionUpdate, content } : { sessionUpdate, messageId, content };
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId: mould.sessionId, update } };
}

function isTextChunkFrame(frame: unknown): frame is { params: TextChunkParams } {
  const { method, jsonrpc, params } = frame as { method?: unknown; jsonrpc?: unknown; params?: unknown };
  return method === "session/update" && jsonrpc === "2.0" && isTextChunk(params) && countFields(frame as object) === 3;
}

/** Whether the value is a text chunk and nothing else: no `_meta`, no annotations, no field we do not know. */
function isTextChunk(params: unknown): params is TextChunkParams {
  if (typeof params !== "object" || params === null) return false;
  const { sessionId, update } = params as Partial<TextChunkParams>;
  if (typeof sessionId !== "string" || typeof update !== "object" || update === null) return false;
  const { sessionUpdate, content, messageId } = update;
  if (
    sessionUpdate !== "agent_message_chunk" &&
    sessionUpdate !== "agent_thought_chunk" &&
    sessionUpdate !== "user_message_chunk"
  )
    return false;
  if (typeof content !== "object" || content === null) return false;
  if (content.type !== "text" || typeof content.text !== "string") return false;
  if (messageId !== undefined && typeof messageId !== "string") return false;
  return (
    countFields(params) === 2 &&
    countFields(content) === 2 &&
    countFields(update) === (messageId === undefined && !("messageId" in update) ? 2 : 3)
  );
}

function countFields(value: object): number {
  if ("toJSON" in value) return -1;
  let count = 0;
  for (const _ in value) count++;
  return count;
}

export function castMould(sessionId: string, sessionUpdate: string, messageId: string | undefined): Mould {
  const id = messageId === undefined ? "" : `"messageId":${JSON.stringify(messageId)},`;
  return {
    sessionId,
    sessionUpdate,
    messageId,
    head:
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(sessionId)},` +
      `"update":{"sessionUpdate":"${sessionUpdate}",${id}"content":{"type":"text","text":`,
    tail: "}}}}\n",
  };
}

/** Puts another text into the mould and reads it back: the head and tail must mean what we take them to mean. */
function isSound(mould: Mould): boolean {
  const probe = 'probe "\\ }]';
  let frame: { params?: unknown };
  try {
    frame = JSON.parse(mould.head + JSON.stringify(probe) + mould.tail);
  } catch {
    return false;
  }
  const params = frame.params;
  return (
    isTextChunk(params) &&
    params.update.content.text === probe &&
    params.sessionId === mould.sessionId &&
    params.update.sessionUpdate === mould.sessionUpdate &&
    params.update.messageId === mould.messageId
  );
}

function parseString(literal: string): string | undefined {
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
