// Tokens guessed from characters, the same for the same request. For models that count nothing themselves.

import type { CallPart, Message, PromptPart, ReasoningPart } from "../message/message.ts";
import type { ModelRequest, Usage } from "./model.ts";

const CHARACTERS_PER_TOKEN = 4;
/** What an image, a sound or a file's bytes count as, whatever their size. */
const CHARACTERS_OF_MEDIA = 4_000;

/** Counts the system text and the messages; tools are left out. */
export function estimateUsage(request: ModelRequest, outputCharacters: number): Usage {
  const read = request.messages.reduce((sum, message) => sum + charactersOf(message), request.system.length);
  return { inputTokens: toTokens(read), outputTokens: toTokens(outputCharacters) };
}

function toTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function charactersOf(message: Message): number {
  let sum = 0;
  for (const part of message.parts) sum += charactersOfPart(part);
  return sum;
}

function charactersOfPart(part: PromptPart | ReasoningPart | CallPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text.length;
    case "call":
      return part.name.length + part.input.length;
    case "link":
      return part.uri.length + part.name.length;
    case "resource":
      return part.uri.length + (part.text?.length ?? CHARACTERS_OF_MEDIA);
    case "image":
    case "audio":
      return CHARACTERS_OF_MEDIA;
  }
}
