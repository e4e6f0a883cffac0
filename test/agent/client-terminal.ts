// A client's terminals, in which a command does what the scenario says.

import type { ScriptedSetup } from "./connect-scripted.ts";

type Handlers = NonNullable<ScriptedSetup["handlers"]>;

/** Handlers of a client whose every command prints `output` and ends with `exitCode`. */
export function terminalHandlers(
  { output = "", exitCode = 0 }: { output?: string; exitCode?: number } = {},
  more: Handlers = {},
): Handlers {
  return {
    createTerminal: () => ({ terminalId: "term_1" }),
    terminalOutput: () => ({ output, truncated: false, exitStatus: { exitCode } }),
    waitForTerminalExit: () => ({ exitCode }),
    killTerminal: () => ({}),
    releaseTerminal: () => ({}),
    ...more,
  };
}
