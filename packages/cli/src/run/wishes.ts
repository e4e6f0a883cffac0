// What can be asked of a run, on the command line and in a spec alike. What is left out is up to the agent.

import type { SessionWish } from "../front/front.ts";
import type { PermissionRule } from "../front/permission-rule.ts";
import type { Format } from "./format.ts";

export interface Wishes {
  readonly prompt?: string | undefined;
  /** Takes the place of what the project says about itself. */
  readonly instructions?: string | undefined;
  readonly format?: Format | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly mode?: string | undefined;
  readonly cwd?: string | undefined;
  readonly session?: SessionWish | undefined;
  /** Steps: requests to the model, with what it asked for. */
  readonly maxSteps?: number | undefined;
  /** In US dollars. */
  readonly maxCost?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly rules: readonly PermissionRule[];
  /** The command line of another agent. */
  readonly agent?: string | undefined;
  readonly skills: readonly string[];
}
