// `agentao --acp --stdio`: the runtime behind this process's stdin and stdout.

import { stdioStream } from "@agentao/acp/node";
import { serveAcp } from "@agentao/agent/serve";
import type { Program } from "../runtime/create-program.ts";
import { version } from "../version.ts";

/** After the client has gone, or a signal has come, everything ends within this. */
const EXIT_MS = 900;

export interface AcpWish {
  /** The first new session goes on with this one, or with the newest of its folder. */
  readonly resume?: { readonly id?: string | undefined } | undefined;
}

/** `onTurn` hears that a turn has ended. */
export function runAcp({ resume }: AcpWish, onTurn: () => void): void {
  // First, so that whatever prints from here on prints to stderr.
  const stream = stdioStream();
  let made: Promise<Program> | undefined;
  const program = (): Promise<Program> => {
    made ??= import("../runtime/create-program.ts").then(({ createProgram }) => createProgram(process.env));
    return made;
  };
  const info = { name: "agentao", title: "Agentao", version };
  const report = async (message: string): Promise<void> => (await program()).log(message);
  const agent = serveAcp(async () => (await program()).runtime, stream, {
    info,
    resume,
    onDiagnostic: (message) => void report(message),
    onTurn,
  });

  let ending = false;
  const startClock = (): void => void setTimeout(() => process.exit(0), EXIT_MS).unref();
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    startClock();
    await agent.close();
    await (await made)?.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) process.on(signal, () => void end());
  // The clock runs from the client's last word, not from when we have noticed what it means.
  process.stdin.once("end", startClock);
  void agent.closed.then(end);
}
