// What a server may ask for while it works: a word of the person, or a word of the model. Plain values.

import type { AudioPart, ImagePart, TextPart } from "../message/message.ts";

export type ElicitRequest =
  | {
      readonly type: "form";
      readonly server: string;
      readonly message: string;
      /** JSON Schema of a flat object. */
      readonly schema: object;
    }
  /** The person is to open a page, and nothing of what happens there is seen here. */
  | { readonly type: "page"; readonly server: string; readonly message: string; readonly url: string };

export type ElicitAnswer =
  | {
      readonly type: "accepted";
      readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
    }
  | { readonly type: "declined" }
  | { readonly type: "cancelled" };

export interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly (TextPart | ImagePart | AudioPart)[];
}

export interface SampleRequest {
  readonly server: string;
  readonly system?: string | undefined;
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences: readonly string[];
  /** Names of models the server would like, the best first. */
  readonly modelHints: readonly string[];
}

export type SampleAnswer =
  | {
      readonly type: "answered";
      readonly model: string;
      readonly text: string;
      readonly stopReason: "endTurn" | "maxTokens" | "stopSequence";
    }
  | { readonly type: "refused"; readonly why: string };
