// What the program does once it is known what was asked for. It is built as a file of its own, which `main.ts` loads with
// the code that V8 has kept of it.

import type { AcpWish } from "./command/serve.ts";
import type { Io } from "./io/io.ts";

/** `onTurn` hears that a turn has ended. */
export async function serve(wish: AcpWish, onTurn: () => void): Promise<void> {
  const { runAcp } = await import("./command/serve.ts");
  runAcp(wish, onTurn);
}

/** Answers the exit code. */
export async function runCommand(name: string, args: readonly string[], io: Io): Promise<number> {
  const command = await import("./command/run-command.ts");
  return command.runCommand(name, args, io);
}
