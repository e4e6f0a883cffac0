// Our history as the provider libraries read it. For the same history the same prompt, however often it is made: caches
// of providers are found by their bytes.

import type {
  JSONValue,
  LanguageModelV3FilePart,
  LanguageModelV3Prompt,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import { isFields } from "../json/fields.ts";
import type { AudioPart, ImagePart, Message, ReasoningPart, TextPart } from "../message/message.ts";
import { type Maker, readOpaque } from "./opaque.ts";
import type { Protocol } from "./provider.ts";
import { type AnsweredCall, repairHistory, type SaidPart } from "./repair-history.ts";

/** What the endpoint can be shown. */
export interface Takes {
  readonly image: boolean;
  readonly audio: boolean;
  /** The model's own reasoning. */
  readonly reasoning: boolean;
}

type AssistantPart = LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCallPart;

/** Valid for any history, see `repairHistory`. */
export function toPrompt(
  system: string,
  messages: readonly Message[],
  maker: Maker,
  takes: Takes,
): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  if (system.trim() !== "") prompt.push({ role: "system", content: system });
  for (const turn of repairHistory(messages)) {
    if (turn.role === "user") {
      say(
        prompt,
        turn.parts.map((part) => toUserPart(part, maker.protocol, takes)),
      );
      continue;
    }
    prompt.push({ role: "assistant", content: toAssistantParts(turn.parts, maker, takes) });
    const calls = turn.parts.filter((part) => part.type === "call");
    if (calls.length > 0) answer(prompt, calls, maker.protocol, takes);
  }
  return prompt;
}

type UserPart = LanguageModelV3TextPart | LanguageModelV3FilePart;

function say(prompt: LanguageModelV3Prompt, content: UserPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(...content);
  else prompt.push({ role: "user", content });
}

function toUserPart(part: SaidPart, protocol: Protocol, takes: Takes): UserPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const file = toFile(part, protocol, takes);
  return file ?? { type: "text", text: placeholder(part) };
}

function toFile(part: ImagePart | AudioPart, protocol: Protocol, takes: Takes): LanguageModelV3FilePart | undefined {
  const isTaken = part.type === "image" ? takes.image : takes.audio;
  const mediaType = MEDIA_ALIASES[part.mimeType.toLowerCase()] ?? part.mimeType.toLowerCase();
  const data = part.data.startsWith("data:") ? part.data.slice(part.data.indexOf(",") + 1) : part.data;
  if (!isTaken || !MEDIA[protocol].has(mediaType) || !looksLikeBase64(data)) return undefined;
  return { type: "file", mediaType, data };
}

const MEDIA_ALIASES: Record<string, string> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
};
const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MEDIA: Record<Protocol, ReadonlySet<string>> = {
  chat: new Set([...IMAGES, "audio/wav", "audio/mpeg"]),
  responses: new Set(IMAGES),
  messages: new Set(IMAGES),
  gemini: new Set([
    ...["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
    ...["audio/wav", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"],
  ]),
};

/** Looks at the beginning only: images are large, and sent again with every request. */
function looksLikeBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+=*\s*$/.test(data.slice(0, 64));
}

function placeholder(part: ImagePart | AudioPart): string {
  return `[${part.type}: ${part.mimeType || "unknown type"}]`;
}

function toAssistantParts(
  parts: readonly (TextPart | ReasoningPart | AnsweredCall)[],
  maker: Maker,
  takes: Takes,
): AssistantPart[] {
  const content: AssistantPart[] = [];
  for (const part of parts) {
    if (part.type === "text") content.push({ type: "text", text: part.text });
    else if (part.type === "call") content.push(toCall(part, maker));
    else content.push(...toReasoning(part, maker, takes));
  }
  return maker.protocol === "responses" ? withoutUnsealed(content) : content;
}

function toCall(answered: AnsweredCall, maker: Maker): LanguageModelV3ToolCallPart {
  const { call, id } = answered;
  const metadata = readOpaque(call.opaque, maker);
  // The library for `chat` reads a signature under the name of its maker only.
  const signature = maker.protocol === "chat" ? metadata?.chat?.thoughtSignature : undefined;
  const providerOptions = typeof signature === "string" ? { google: { thoughtSignature: signature } } : metadata;
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: toToolName(call.name),
    input: toInput(call.input),
    ...(providerOptions !== undefined && { providerOptions }),
  };
}

/** Models invent names; an invented one in the history must not break every later request. */
function toToolName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`.slice(0, 64);
}

/** Providers take objects only. */
function toInput(json: string): Record<string, JSONValue> {
  try {
    const input: unknown = JSON.parse(json);
    return isFields(input) ? (input as Record<string, JSONValue>) : {};
  } catch {
    return {};
  }
}

/** Nothing where it is not this model's, or has lost what proves that it is. */
function toReasoning(part: ReasoningPart, maker: Maker, takes: Takes): LanguageModelV3ReasoningPart[] {
  const metadata = readOpaque(part.opaque, maker);
  if (metadata === undefined || !takes.reasoning) return [];
  switch (maker.protocol) {
    case "chat":
      return part.text !== "" ? [{ type: "reasoning", text: part.text }] : [];
    case "messages": {
      const { signature, redactedData } = metadata.anthropic ?? {};
      const isSealed = typeof signature === "string" || typeof redactedData === "string";
      return isSealed ? [{ type: "reasoning", text: part.text, providerOptions: metadata }] : [];
    }
    case "responses":
      return typeof metadata.openai?.itemId === "string"
        ? [{ type: "reasoning", text: part.text, providerOptions: metadata }]
        : [];
    case "gemini":
      return part.text !== "" ? [{ type: "reasoning", text: part.text, providerOptions: metadata }] : [];
  }
}

/** Several summaries are one item, and the last of them carries what OpenAI reads; without that it refuses the item. */
function withoutUnsealed(content: AssistantPart[]): AssistantPart[] {
  const sealed = new Set<unknown>();
  for (const part of content) {
    const { itemId, reasoningEncryptedContent } = part.providerOptions?.openai ?? {};
    if (part.type === "reasoning" && typeof reasoningEncryptedContent === "string") sealed.add(itemId);
  }
  return content.filter((part) => part.type !== "reasoning" || sealed.has(part.providerOptions?.openai?.itemId));
}

/** Where images cannot stand in a result, the user shows them right behind all results. */
function answer(prompt: LanguageModelV3Prompt, calls: readonly AnsweredCall[], protocol: Protocol, takes: Takes): void {
  const results: LanguageModelV3ToolResultPart[] = [];
  const shown: UserPart[] = [];
  const showsInside = protocol === "messages" || protocol === "responses";
  for (const answered of calls) {
    const files = answered.result.map((part) =>
      part.type === "image" ? (toFile(part, protocol, takes) ?? placeholder(part)) : part.text,
    );
    const output = showsInside && !answered.failed ? toOutput(files) : toTextOutput(files, answered.failed);
    const toolName = toToolName(answered.call.name);
    results.push({ type: "tool-result", toolCallId: answered.id, toolName, output });
    const left = output.type === "content" ? [] : files.filter((file) => typeof file !== "string");
    if (left.length > 0) shown.push({ type: "text", text: `What ${toolName} (${answered.id}) shows:` }, ...left);
  }
  prompt.push({ role: "tool", content: results });
  if (shown.length > 0) say(prompt, shown);
}

function toOutput(files: readonly (string | LanguageModelV3FilePart)[]): LanguageModelV3ToolResultOutput {
  if (files.every((file) => typeof file === "string")) return { type: "text", value: files.join("\n") };
  return {
    type: "content",
    value: files.map((file) =>
      typeof file === "string"
        ? { type: "text", text: file }
        : { type: "image-data", data: file.data as string, mediaType: file.mediaType },
    ),
  };
}

function toTextOutput(
  files: readonly (string | LanguageModelV3FilePart)[],
  failed: boolean,
): LanguageModelV3ToolResultOutput {
  const value = files.map((file) => (typeof file === "string" ? file : `[image: ${file.mediaType}, below]`)).join("\n");
  return { type: failed ? "error-text" : "text", value };
}
