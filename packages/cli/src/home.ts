// Where agentao keeps what belongs to the person.

import { homedir } from "node:os";
import { join } from "node:path";

/** Nothing when there is no such place: no home, and nobody named one. */
export function findHome(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.AGENTAO_HOME) return env.AGENTAO_HOME;
  try {
    const home = env.HOME || homedir();
    return home ? join(home, ".agentao") : undefined;
  } catch {
    return undefined;
  }
}
