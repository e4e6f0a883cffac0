// The built program without a person: started with words and input, run to its end, and looked at from outside.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../process/clean-up.ts";
import { type Program, type ProgramOptions, start } from "../program/program.ts";
import { type Ended, ended } from "../program/run-program.ts";

export interface HeadlessOptions extends Pick<ProgramOptions, "cwd" | "env" | "home" | "through"> {
  /** What the scripted model answers, one list of steps per request. */
  readonly replies?: readonly object[];
  /** Standard input; empty unless given. */
  readonly input?: string;
}

/** Only these decide on the model: keys of whoever runs the tests do not. */
const NO_MODELS = { AGENTAO_LOCAL_MODELS: "0", AGENTAO_MODEL: undefined, LLM_PROVIDER: undefined, CI: undefined };

export function startHeadless(args: readonly string[], options: HeadlessOptions = {}): Program {
  const { replies, input = "", env, ...more } = options;
  const model = replies === undefined ? {} : { AGENTAO_MODEL: `scripted/${scenario(replies)}` };
  const program = start({ args, cwd: temporaryFolder(), ...more, env: { ...NO_MODELS, ...model, ...env } });
  program.child.stdin.end(input);
  return program;
}

export function headless(args: readonly string[], options: HeadlessOptions = {}): Promise<Ended> {
  return ended(startHeadless(args, options));
}

/** The whole result, as a program reads it. */
// biome-ignore lint/suspicious/noExplicitAny: looked into by the tests, each knowing what it asked for.
export function resultOf({ stdout }: Ended): any {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

function scenario(replies: readonly object[]): string {
  const path = join(temporaryFolder(), "scenario.json");
  writeFileSync(path, JSON.stringify({ replies }));
  return path;
}
