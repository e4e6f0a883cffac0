// The scripts by the names under which the programs are told to play them.

import { everyMethod } from "./every-method.ts";
import type { Step } from "./exchange.ts";
import { agentShorthand, clientShorthand } from "./shorthand.ts";

const scripts = { everyMethod, clientShorthand, agentShorthand };

export type ScriptName = keyof typeof scripts;

/** The script a program was started with. */
export function givenScript(): readonly Step[] {
  const name = process.argv[2] as ScriptName;
  return scripts[name];
}
