// What a server asks for and what it is answered, from and to the words of the protocol.

import type { ElicitAnswer, ElicitRequest, SampleAnswer, SampleMessage, SampleRequest } from "./ask.ts";
import { toSampleParts } from "./to-parts.ts";

type ElicitParams =
  | { readonly message: string; readonly url: string }
  | { readonly message: string; readonly requestedSchema: object };

interface SampleParams {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: unknown }[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly modelPreferences?:
    | { readonly hints?: readonly { readonly name?: string | undefined }[] | undefined }
    | undefined;
}

export function toElicitRequest(params: ElicitParams, server: string): ElicitRequest {
  if ("url" in params) return { type: "page", server, message: params.message, url: params.url };
  return { type: "form", server, message: params.message, schema: params.requestedSchema };
}

export function fromElicitAnswer(answer: ElicitAnswer) {
  switch (answer.type) {
    case "accepted":
      return {
        action: "accept" as const,
        ...(answer.content && { content: answer.content as Record<string, string | number | boolean | string[]> }),
      };
    case "declined":
      return { action: "decline" as const };
    case "cancelled":
      return { action: "cancel" as const };
  }
}

export function toSampleRequest(params: SampleParams, server: string): SampleRequest {
  const { systemPrompt, messages, maxTokens, temperature, stopSequences = [], modelPreferences } = params;
  return {
    server,
    system: systemPrompt,
    messages: messages.map(
      ({ role, content }): SampleMessage => ({
        role,
        parts: toSampleParts(Array.isArray(content) ? content : [content]),
      }),
    ),
    maxTokens,
    temperature,
    stopSequences,
    modelHints: (modelPreferences?.hints ?? []).flatMap(({ name }) => (name === undefined ? [] : [name])),
  };
}

/** A refusal is an error for the server. */
export function fromSampleAnswer(answer: SampleAnswer) {
  if (answer.type === "refused") throw new Error(answer.why);
  const { model, stopReason, text } = answer;
  return { model, stopReason, role: "assistant" as const, content: { type: "text" as const, text } };
}
