// What is decided on a call, and by what.

import type { Grant } from "./grant.ts";
import type { ModeId } from "./mode.ts";
import type { Rule, RuleProblem } from "./rule.ts";

export interface Policy {
  readonly mode: ModeId;
  readonly rules: readonly Rule[];
  readonly grants: readonly Grant[];
  /** Absolute. */
  readonly roots: readonly string[];
  readonly problems: readonly RuleProblem[];
}

export interface Decision {
  readonly type: "allow" | "deny" | "ask";
  readonly by: "rule" | "grant";
  /** Which rule decided: `hardline`, `~/.agentao/permissions.json#2`, `grant`, `mode workspace-write`. */
  readonly rule: string;
  /** A sentence. */
  readonly because: string;
}
