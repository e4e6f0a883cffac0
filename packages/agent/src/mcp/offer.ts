// What a server offers beside tools: prompts a person can choose, and resources that can be read. Plain values.

import type { PromptPart, ResourcePart } from "../message/message.ts";

export interface PromptArgument {
  readonly name: string;
  readonly description?: string | undefined;
  readonly required: boolean;
}

export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly PromptPart[];
}

export type PromptReading =
  | { readonly type: "read"; readonly description?: string | undefined; readonly messages: readonly PromptMessage[] }
  | { readonly type: "failed"; readonly why: string };

export type ResourceReading =
  | { readonly type: "read"; readonly parts: readonly ResourcePart[] }
  | { readonly type: "failed"; readonly why: string };
