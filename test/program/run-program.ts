// The built program, run to its end and looked at from outside.

import { type Program, type ProgramOptions, start } from "./program.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nobody is there to answer: standard input has ended. */
export function runProgram(args: readonly string[], options: Omit<ProgramOptions, "args"> = {}): Promise<Ended> {
  const program = start({ ...options, args, env: { AGENTAO_LOCAL_MODELS: "0", NO_COLOR: "1", ...options.env } });
  program.child.stdin.end();
  return ended(program);
}

export async function ended(program: Program): Promise<Ended> {
  const { code } = await program.ending();
  await program.closed;
  return { code, stdout: program.stdout, stderr: program.stderr };
}
