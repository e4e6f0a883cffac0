// The seam to a model. A model is asked with a request and answers with a stream of events; it never throws: what goes
// wrong is the last event.

import type { Fault } from "../fault/fault.ts";
import type { Message } from "../message/message.ts";

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input object. */
  readonly inputSchema: object;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** One of the model's own levels. */
  readonly thoughtLevel?: string | undefined;
  /** The same for all requests of one conversation: providers find their caches by it. */
  readonly cacheKey?: string | undefined;
}

export interface Usage {
  /** Everything the model read for this request, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** In US dollars, where prices are known. */
  readonly cost?: number | undefined;
}

export type FinishReason = "stop" | "calls" | "length" | "refusal";

export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** Closes the reasoning so far; `opaque` is what the provider wants back. */
  | { readonly type: "reasoning-end"; readonly opaque?: unknown }
  /** A whole call. `id` is the provider's and may be empty or repeat. */
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly input: string;
      /** What the provider wants back with the call. */
      readonly opaque?: unknown;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  /** Shown to the person: a retry, a fallback. */
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "finish"; readonly reason: FinishReason }
  | { readonly type: "failed"; readonly fault: Fault };

export interface ModelInfo {
  /** `provider/model`. */
  readonly id: string;
  readonly name: string;
  /** Tokens the model can read and write in one request. */
  readonly windowTokens: number;
  readonly takes: { readonly image: boolean; readonly audio: boolean };
  /** From least to most thought; empty where the model has no such choice. */
  readonly thoughtLevels: readonly string[];
  /** What the model does when nobody chose a level; the first where it is not said. */
  readonly defaultThoughtLevel?: string | undefined;
  /** The most it writes in one answer, where that is known. */
  readonly maxOutputTokens?: number | undefined;
  readonly prices?: Prices | undefined;
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Of input that was read from the provider's cache; the input price where it is not said. */
  readonly cachedInput?: number | undefined;
  /** Of input that was written to the provider's cache; the input price where it is not said. */
  readonly cacheWrite?: number | undefined;
}

export interface Model {
  readonly info: ModelInfo;
  /** Ends at once, without a last event, when the signal fires. Never throws. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Loads what the first request will need. Returns at once, and never throws. */
  warm?(): void;
}

/** Which models there are, and how to get one. */
export interface ModelCatalogue {
  /** What a person can choose from, the default first. */
  list(): readonly ModelInfo[];
  /** By `provider/model`, or by a bare model name of the provider in use; nothing when it is not known. */
  find(id: string, current?: string): Model | undefined;
}
