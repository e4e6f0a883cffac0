// Why a run ended before its turn did. The first reason counts; it cancels the turn.

import type { Refusal } from "./refusal.ts";

export type Ending =
  /** Ctrl-C, SIGTERM, or a reader of the output that went away. */
  | { readonly type: "interrupted" }
  /** The disk is full, and the like. */
  | { readonly type: "unwritable"; readonly problem: string }
  | { readonly type: "refused"; readonly refusal: Refusal }
  | { readonly type: "too-long"; readonly timeoutMs: number }
  | { readonly type: "too-expensive"; readonly maxCost: number; readonly cost: number }
  | { readonly type: "too-many-steps"; readonly maxSteps: number };

export interface Stop {
  readonly signal: AbortSignal;
  readonly ending: Ending | undefined;
  end(ending: Ending): void;
}

export function createStop(): Stop {
  const controller = new AbortController();
  let first: Ending | undefined;
  return {
    signal: controller.signal,
    get ending() {
      return first;
    },
    end(ending) {
      first ??= ending;
      controller.abort(new Error(ending.type));
    },
  };
}
