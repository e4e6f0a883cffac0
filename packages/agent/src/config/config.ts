// What belongs to a session's working directory, as a value. Reading it from files and the environment is done beside.

import type { Rule, RuleProblem } from "../permission/rule.ts";

export interface Config {
  /** What commands of the session see; without our own keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly instructions?: string | undefined;
  readonly mode?: string | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** What is wrong with the files the rules come from; until it is mended, more is asked. */
  readonly problems?: readonly RuleProblem[] | undefined;
  /** What the person should know when the session opens. */
  readonly notices?: readonly string[] | undefined;
}
