// The built program, run to its end with a command.

import { type ProgramOptions, start } from "../program/program.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nobody is there to answer: standard input has ended. */
export async function runProgram(args: readonly string[], options: Omit<ProgramOptions, "args"> = {}): Promise<Ran> {
  const program = start({ ...options, args, env: { AGENTAO_LOCAL_MODELS: "0", NO_COLOR: "1", ...options.env } });
  program.child.stdin.end();
  const { code } = await program.ending();
  await program.closed;
  return { code, stdout: program.stdout, stderr: program.stderr };
}
