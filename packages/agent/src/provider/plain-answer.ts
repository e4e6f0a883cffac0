// Answers that claim success and are no stream of events: a page of somebody in between, an error in a body, an answer
// that came whole.

import { isFields } from "../json/fields.ts";
import { parseJson } from "../json/parse-json.ts";

/** What was answered instead: a page, what went wrong, or an answer in one piece. */
type PlainKind = "page" | "error" | "whole";

export class PlainAnswerError extends Error {
  override readonly name = "PlainAnswerError";
  readonly kind: PlainKind;
  readonly responseBody: string;

  constructor(kind: PlainKind, responseBody: string) {
    super("");
    this.kind = kind;
    this.responseBody = responseBody;
  }
}

/** The body of an answer in one piece, as the events that would have streamed it; nothing where it is not one. */
export type ToEvents = (json: unknown) => string | undefined;

/** More than this is no sentence and no answer. */
const MAX_BYTES = 1024 * 1024;

export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type")?.trim() ?? "");
}

/** The same bytes where they look like events after all, whatever their type; else rejects with a `PlainAnswerError`. */
export async function toEventStream(
  body: ReadableStream<Uint8Array>,
  headers: Headers,
  toEvents: ToEvents = () => undefined,
): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let first = "";
  while (first === "") {
    const { done, value } = await reader.read();
    if (done) return replay(chunks, undefined);
    chunks.push(value);
    first = toText(chunks).trimStart().slice(0, 1);
  }
  const isPage = /^text\/html\b/i.test(headers.get("content-type")?.trim() ?? "") || first === "<";
  if (!isPage && first !== "{" && first !== "[") return replay(chunks, reader);
  const text = await readRest(chunks, reader);
  const json = isPage ? undefined : parseJson(text);
  const events = json === undefined ? undefined : toEvents(json);
  if (events !== undefined) return replay([Buffer.from(events)], undefined);
  throw new PlainAnswerError(isPage ? "page" : isAnswer(json) ? "whole" : "error", text);
}

/** Whole answers of chat completions. */
export function chatEvents(json: unknown): string | undefined {
  const choices = isFields(json) && !hasError(json) ? json.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isFields(json) || !isFields(choice) || !isFields(choice.message)) return undefined;
  const { message } = choice;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const tool_calls = calls.filter(isFields).map((call, index) => ({ index, ...call }));
  const delta = { ...message, ...(tool_calls.length > 0 && { tool_calls }) };
  return toEvent({ ...json, choices: [{ index: 0, delta, finish_reason: choice.finish_reason ?? "stop" }] });
}

/** Gemini's are a list of what would have been the events, or the only one of them. */
export function geminiEvents(json: unknown): string | undefined {
  const list: readonly unknown[] = Array.isArray(json) ? json : [json];
  const isWhole = list.length > 0 && list.every((one) => isFields(one) && !hasError(one) && "candidates" in one);
  return isWhole ? list.map(toEvent).join("") : undefined;
}

function toEvent(json: unknown): string {
  return `data: ${JSON.stringify(json)}\n\n`;
}

function isAnswer(json: unknown): boolean {
  const one: unknown = Array.isArray(json) ? json[0] : json;
  return isFields(one) && !hasError(one) && ["choices", "output", "content", "candidates"].some((name) => name in one);
}

function hasError(json: Readonly<Record<string, unknown>>): boolean {
  return json.error !== undefined && json.error !== null;
}

async function readRest(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  while (bytes < MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) return toText(chunks);
    chunks.push(value);
    bytes += value.length;
  }
  await reader.cancel().catch(() => {});
  return toText(chunks);
}

function replay(
  chunks: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const kept = chunks[next++];
        if (kept !== undefined) return controller.enqueue(kept);
        const read = await reader?.read();
        if (read === undefined || read.done) controller.close();
        else controller.enqueue(read.value);
      },
      async cancel(reason) {
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function toText(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}
