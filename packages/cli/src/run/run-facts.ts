// What is known about a run when it is over.

import type { StopReason, Transcript } from "@agentao/acp";
import type { Ending } from "./ending.ts";
import type { Usage } from "./meter.ts";

/** How a turn ended, if it did. */
export type TurnEnd =
  | { readonly type: "answered"; readonly stopReason: StopReason; readonly usage?: TokenUsage | undefined }
  | { readonly type: "failed"; readonly cause: unknown };

export interface TokenUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
}

export interface RunFacts {
  readonly sessionId?: string | undefined;
  readonly cwd: string;
  readonly model?: string | undefined;
  readonly transcript: Transcript;
  readonly usage: Usage;
  readonly ending: Ending | undefined;
  readonly end: TurnEnd;
  readonly maxSteps?: number | undefined;
}
