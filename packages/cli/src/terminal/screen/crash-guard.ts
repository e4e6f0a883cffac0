// Whatever ends the process, the terminal is given back first.

import type { Io } from "../../io/io.ts";

/** Until the function it answers is called. */
export function guardTerminal(restore: () => void, stderr: Io["stderr"]): () => void {
  const crash = (cause: unknown): void => {
    restore();
    stderr.write(`agentao: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
    process.exit(1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.on("exit", restore);
  return () => {
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
    process.off("exit", restore);
  };
}
