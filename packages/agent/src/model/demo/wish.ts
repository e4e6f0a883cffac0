// What the demo model can be asked for, as a value.

import type { FaultKind } from "../../fault/fault.ts";

export type Wish =
  | { readonly type: "list"; readonly path: string; readonly recursive: boolean }
  | { readonly type: "find"; readonly pattern: string }
  | { readonly type: "read"; readonly path: string; readonly offset?: number; readonly limit?: number }
  | { readonly type: "search"; readonly text: string; readonly files?: string }
  | { readonly type: "write"; readonly path: string; readonly content: string }
  | { readonly type: "replace"; readonly path: string; readonly from: string; readonly to: string }
  | { readonly type: "run"; readonly command: string }
  /** Without items the demo has some of its own. */
  | { readonly type: "plan"; readonly items: readonly string[] }
  | { readonly type: "ask"; readonly question?: string; readonly options: readonly string[] }
  | { readonly type: "think"; readonly about?: string }
  | { readonly type: "count"; readonly to: number; readonly what: "numbers" | "words" }
  | { readonly type: "fail"; readonly kind: FaultKind }
  | { readonly type: "help" }
  | { readonly type: "unknown" };

export type Language = "english" | "chinese";

/** What was said, if it was said like this. `make` may still refuse by giving nothing. */
export interface Rule {
  readonly pattern: RegExp;
  make(groups: readonly string[], said: string): Wish | undefined;
}
