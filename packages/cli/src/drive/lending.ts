// What a driven agent may do through us, inside its folder: read, write, run commands.

import type { ClientHandlers } from "@agentao/acp";
import { createFileHandlers, createTerminalHandlers } from "@agentao/acp/node";
import type { Lent } from "./server-config.ts";
import type { Silence } from "./silence.ts";

export interface Lending {
  readonly handlers: ClientHandlers;
  /** Ends the commands that still run. */
  close(): Promise<void>;
}

export interface LendOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** An agent that waits for us is not silent. */
  readonly silence: Silence;
}

export function lend(lent: readonly Lent[], { cwd, env, silence }: LendOptions): Lending {
  const { readTextFile, writeTextFile } = createFileHandlers({ roots: [cwd] });
  const terminals = createTerminalHandlers({ roots: [cwd], defaultCwd: cwd, env });
  const { releaseSession: _, close, waitForTerminalExit, ...commands } = terminals;
  const handlers: ClientHandlers = {
    ...(lent.includes("read") && { readTextFile }),
    ...(lent.includes("write") && { writeTextFile }),
    ...(lent.includes("terminal") && {
      ...commands,
      waitForTerminalExit: (params, context) => silence.during(Promise.resolve(waitForTerminalExit(params, context))),
    }),
  };
  return { handlers, close };
}
