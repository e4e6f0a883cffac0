// Where a provider is to remember what it has read. Marks move forward with the conversation; nothing else changes.

import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";

const EPHEMERAL = { type: "ephemeral" };

/** Anthropic takes four marks: the system text, the last tool, and the last two things said to the model. */
export function markClaude(prompt: LanguageModelV3Prompt, tools: LanguageModelV3FunctionTool[]): void {
  const mark: SharedV3ProviderOptions = { anthropic: { cacheControl: EPHEMERAL } };
  const system = prompt[0];
  if (system?.role === "system") system.providerOptions = mark;
  const tool = tools.at(-1);
  if (tool !== undefined) tool.providerOptions = mark;
  for (const message of lastSaid(prompt)) message.providerOptions = mark;
}

/** OpenRouter takes Anthropic's marks on parts of a message; the library has no other way to write a text as a part. */
export function markOpenRouter(prompt: LanguageModelV3Prompt): void {
  const system = prompt[0];
  if (system?.role === "system") system.providerOptions = asMarkedPart(system.content);
  for (const message of lastSaid(prompt)) {
    if (message.role !== "user") continue;
    const [first] = message.content;
    if (message.content.length === 1 && first?.type === "text") first.providerOptions = asMarkedPart(first.text);
    else {
      const text = message.content.findLast((part) => part.type === "text");
      if (text !== undefined) text.providerOptions = { openaiCompatible: { cache_control: EPHEMERAL } };
    }
  }
}

/** Two, so that the next request finds what this one left although something was added in between. */
function lastSaid(prompt: LanguageModelV3Prompt): LanguageModelV3Message[] {
  return prompt.filter((message) => message.role === "user" || message.role === "tool").slice(-2);
}

function asMarkedPart(text: string): SharedV3ProviderOptions {
  return { openaiCompatible: { content: [{ type: "text", text, cache_control: EPHEMERAL }] } };
}
