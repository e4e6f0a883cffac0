// What model and person say to each other. Plain values: they are written to the journal as they are.

import type { CallId, MessageId } from "../id/id.ts";

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Data is base64. */
export interface ImagePart {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
  readonly uri?: string | undefined;
}

export interface AudioPart {
  readonly type: "audio";
  readonly data: string;
  readonly mimeType: string;
}

/** A reference the model sees as a Markdown link; it is not read. */
export interface LinkPart {
  readonly type: "link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** Content that came with the prompt: a file's text, or its bytes as base64. */
export interface ResourcePart {
  readonly type: "resource";
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}

export type PromptPart = TextPart | ImagePart | AudioPart | LinkPart | ResourcePart;

export interface UserMessage {
  readonly role: "user";
  readonly id: MessageId;
  readonly parts: readonly PromptPart[];
}

/** Reasoning goes back to the model that made it, in the form it made it; `opaque` is the provider's own. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly opaque?: unknown;
}

/** `input` is the JSON text as the model wrote it; `opaque` is what its provider wants back with it. */
export interface CallPart {
  readonly type: "call";
  readonly callId: CallId;
  readonly name: string;
  readonly input: string;
  readonly opaque?: unknown;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly id: MessageId;
  readonly parts: readonly (TextPart | ReasoningPart | CallPart)[];
}

/** What the model is told about one call. */
export interface ResultMessage {
  readonly role: "result";
  readonly callId: CallId;
  readonly name: string;
  readonly failed: boolean;
  readonly parts: readonly (TextPart | ImagePart)[];
}

export type Message = UserMessage | AssistantMessage | ResultMessage;

export function text(text: string): TextPart {
  return { type: "text", text };
}
