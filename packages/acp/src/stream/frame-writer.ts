// Where frames become lines: one JSON object each, UTF-8. Nothing here does I/O.

import { LocalError } from "../error/local-error.ts";
import type { Frame } from "./frame.ts";
import { castMould, keep, type Mould, type TextChunkParams } from "./text-chunk.ts";

/**
 * Frame to line, newline included. Throws `unserialisable` in the caller's stack, before anything is sent.
 *
 * One function on purpose: cut into small ones, the optimiser compiles the whole chain of callers anew with each of them
 * inlined, and a cold start, such as the replay of a session, pays for that.
 */
export class FrameWriter {
  readonly #moulds: Mould[] = [];
  #method: string | undefined;
  #head = "";

  write(frame: Frame): string {
    try {
      if (!("method" in frame)) return writeResponse(frame);
      const { method, params } = frame;
      // biome-ignore lint/suspicious/noConfusingLabels: leaving the fast path early is what keeps this one function
      text: if (method === "session/update") {
        // Plainly a text chunk, or else the general way: see text-chunk.ts.
        if (typeof params !== "object" || params === null) break text;
        const { sessionId, update } = params as Partial<TextChunkParams>;
        if (typeof sessionId !== "string" || typeof update !== "object" || update === null) break text;
        const { sessionUpdate, content, messageId } = update;
        if (
          sessionUpdate !== "agent_message_chunk" &&
          sessionUpdate !== "agent_thought_chunk" &&
          sessionUpdate !== "user_message_chunk"
        )
          break text;
        if (typeof content !== "object" || content === null) break text;
        if (content.type !== "text" || typeof content.text !== "string") break text;
        if (messageId !== undefined && typeof messageId !== "string") break text;
        if ("toJSON" in params || "toJSON" in content || "toJSON" in update) break text;
        let fields = messageId === undefined && !("messageId" in update) ? 6 : 7;
        for (const _ in params) fields--;
        for (const _ in content) fields--;
        for (const _ in update) fields--;
        if (fields !== 0) break text;
        const moulds = this.#moulds;
        for (let at = 0; at < moulds.length; at++) {
          const mould = moulds[at] as Mould;
          if (mould.sessionUpdate === sessionUpdate && mould.messageId === messageId && mould.sessionId === sessionId)
            return mould.head + JSON.stringify(content.text) + mould.tail;
        }
        const mould = castMould(sessionId, sessionUpdate, messageId);
        keep(moulds, mould);
        return mould.head + JSON.stringify(content.text) + mould.tail;
      }
      if (method !== this.#method) {
        this.#method = method;
        this.#head = `"method":${JSON.stringify(method)}`;
      }
      const id = "id" in frame ? `"id":${JSON.stringify(frame.id)},` : "";
      const body = params === undefined ? "" : `,"params":${stringify(params)}`;
      return `{"jsonrpc":"2.0",${id}${this.#head}${body}}\n`;
    } catch (cause) {
      throw new LocalError("unserialisable", `cannot be written as JSON: ${describe(cause)}`, { cause });
    }
  }
}

function writeResponse(frame: Exclude<Frame, { method: string }>): string {
  const id = JSON.stringify(frame.id);
  if ("error" in frame) return `{"jsonrpc":"2.0","id":${id},"error":${stringify(frame.error)}}\n`;
  return `{"jsonrpc":"2.0","id":${id},"result":${stringify(frame.result)}}\n`;
}

/** `JSON.stringify` answers undefined for functions, symbols and undefined itself, which is no JSON. */
function stringify(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`);
  return text;
}

// V8 quotes property names of the caller's object in "circular structure" messages; the first line says enough.
function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : "unknown reason";
}
