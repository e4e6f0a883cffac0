// How much of a model's window something takes, guessed from its characters. A message is counted once, however often it
// is asked about: most of a conversation is the same object from one request to the next.

import type { CallPart, ImagePart, Message, PromptPart, ReasoningPart } from "../message/message.ts";
import type { ModelRequest, ToolSpec } from "../model/model.ts";

/** What the provider counted for a request and its answer, and how many messages the request had. */
export interface Count {
  readonly tokens: number;
  readonly messages: number;
}

/** The provider's own count where there is one, with the estimate of what came after it. */
export function contextSize(request: ModelRequest, count?: Count | undefined): number {
  const { messages } = request;
  if (count === undefined || count.messages > messages.length) return estimateRequest(request);
  // The answer to that request is part of the count.
  const isAnswered = messages[count.messages]?.role === "assistant";
  return count.tokens + sumFrom(messages, count.messages + (isAnswered ? 1 : 0));
}

export function estimateRequest({ system, messages, tools }: ModelRequest): number {
  return estimateText(system) + tools.reduce((sum, tool) => sum + ofTool(tool), 0) + estimateTokens(messages);
}

export function estimateTokens(messages: readonly Message[]): number {
  return sumFrom(messages, 0);
}

export function estimateMessage(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  let tokens = TOKENS_AROUND_MESSAGE;
  for (const part of message.parts) tokens += ofPart(part);
  counted.set(message, tokens);
  return tokens;
}

const ASCII = 0.25;
const CJK = 1;
const OTHER = 0.5;

export function estimateText(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    sum += code < 0x80 ? ASCII : isDense(code) ? CJK : OTHER;
  }
  return Math.ceil(sum);
}

/** Roles and marks that providers put around each. */
const TOKENS_AROUND_MESSAGE = 4;
const TOKENS_AROUND_TOOL = 8;
/** A sound, or the bytes of a file, whatever its size. */
const TOKENS_OF_MEDIA = 1_600;

const counted = new WeakMap<Message | ToolSpec, number>();

function sumFrom(messages: readonly Message[], start: number): number {
  let sum = 0;
  for (let at = start; at < messages.length; at++) sum += estimateMessage(messages[at] as Message);
  return sum;
}

function ofTool(tool: ToolSpec): number {
  const known = counted.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema } = tool;
  const tokens = TOKENS_AROUND_TOOL + estimateText(name + description + JSON.stringify(inputSchema));
  counted.set(tool, tokens);
  return tokens;
}

function ofPart(part: PromptPart | ReasoningPart | CallPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return estimateText(part.text);
    case "call":
      return TOKENS_AROUND_TOOL + estimateText(part.name) + estimateText(part.input);
    case "link":
      return estimateText(`${part.name} ${part.uri}`);
    case "resource":
      return estimateText(part.uri) + (part.text === undefined ? TOKENS_OF_MEDIA : estimateText(part.text));
    case "image":
      return ofImage(part);
    case "audio":
      return TOKENS_OF_MEDIA;
  }
}

/** Chinese, Japanese, Korean, full-width forms, and halves of pairs: an emoji is about two tokens. */
function isDense(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xdfff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe4f) ||
    (code >= 0xff00 && code <= 0xffef)
  );
}

const PIXELS_PER_TOKEN = 750;
const LEAST_TOKENS_OF_IMAGE = 85;
/** Larger ones are made smaller by whoever takes them. */
const MOST_TOKENS_OF_IMAGE = 1_600;

function ofImage({ data }: ImagePart): number {
  const size = imageSize(data);
  if (size === undefined) return MOST_TOKENS_OF_IMAGE;
  const tokens = Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN);
  return Math.min(MOST_TOKENS_OF_IMAGE, Math.max(LEAST_TOKENS_OF_IMAGE, tokens));
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How much of a file is looked at: a preview may stand before a photograph's size. */
const HEADER_BASE64_CHARS = 64 * 1024;

/** Of a PNG or a JPEG, from its header. */
function imageSize(base64: string): Size | undefined {
  if (base64.startsWith("iVBORw0KGgo")) return pngSize(decode(base64.slice(0, 32)));
  if (base64.startsWith("/9j/")) return jpegSize(decode(base64.slice(0, HEADER_BASE64_CHARS)));
  return undefined;
}

/** One character for each byte; nothing where it is not base64. */
function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}

function pngSize(bytes: string): Size | undefined {
  if (bytes.length < 24) return undefined;
  const number = (at: number): number => shortAt(bytes, at) * 0x1_0000 + shortAt(bytes, at + 2);
  return { width: number(16), height: number(20) };
}

/** Goes from segment to segment to the one that begins a frame (ITU T.81, B.1.1.3). */
function jpegSize(bytes: string): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + shortAt(bytes, at + 2)) {
    if (bytes.charCodeAt(at) !== 0xff) return undefined;
    const marker = bytes.charCodeAt(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: shortAt(bytes, at + 5), width: shortAt(bytes, at + 7) };
  }
  return undefined;
}

function shortAt(bytes: string, at: number): number {
  return bytes.charCodeAt(at) * 0x100 + bytes.charCodeAt(at + 1);
}
