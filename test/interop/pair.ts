// Starts the programs: a client that starts an agent, each in a process of its own, of either library.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { PairReport } from "./part.ts";
import type { ScriptName } from "./scripts.ts";

export type Library = "our" | "official";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const programs = {
  "our-agent": new URL("./our-agent.ts", import.meta.url),
  "our-client": new URL("./our-client.ts", import.meta.url),
  "our-streaming-agent": new URL("./our-streaming-agent.ts", import.meta.url),
  "official-agent": new URL("./official-agent.ts", import.meta.url),
  "official-client": new URL("./official-client.ts", import.meta.url),
  "official-streaming-agent": new URL("./official-streaming-agent.ts", import.meta.url),
};

/** The command line of a program. It must be started from the workspace's root: there tsx finds the paths to our source. */
export function commandOf(program: keyof typeof programs, ...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, "--import", "tsx", fileURLToPath(programs[program]), ...args];
}

export interface PairRun extends PairReport {
  /** Of both processes. */
  readonly stderr: string;
}

/** Lets a client and an agent play a script, to the end of both processes. A pair that hangs is ended. */
export async function runPair(client: Library, agent: Library, script: ScriptName): Promise<PairRun> {
  const [program, ...args] = commandOf(`${client}-client`, script, ...commandOf(`${agent}-agent`, script));
  const options = { cwd: root, timeout: 25_000, maxBuffer: 64 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(program, args, options);
  return { ...(JSON.parse(stdout) as PairReport), stderr };
}
