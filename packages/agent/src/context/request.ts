// What the model sees: who it is, where it is, what it may use, and the conversation so far. Each request of a session
// begins with the whole of the one before, so that providers find it in their caches.

import type { Message } from "../message/message.ts";
import type { ModelRequest, ToolSpec } from "../model/model.ts";
import { type SystemPromptSource, systemPrompt } from "./system-prompt.ts";

export interface ContextSource extends SystemPromptSource {
  readonly thoughtLevel?: string | undefined;
  /** The same for the whole session. */
  readonly cacheKey?: string | undefined;
  /** As the model reads them. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

export function buildRequest(source: ContextSource): ModelRequest {
  const { messages, tools, thoughtLevel, cacheKey } = source;
  return {
    system: systemPrompt(source),
    messages,
    tools,
    ...(thoughtLevel !== undefined && { thoughtLevel }),
    ...(cacheKey !== undefined && { cacheKey }),
  };
}
