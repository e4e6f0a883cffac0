// What happened, for whoever looks for a fault afterwards: one JSON object per line, without secrets. Never on stdout,
// and never a reason to fail.

import { appendFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderSync, redact } from "@agentao/agent/program";

/** A log that has grown to this is put aside, and a new one begins. */
const MAX_BYTES = 10 * 1024 * 1024;

export type Log = (message: string) => void;

/** Writes to the file of `AGENTAO_LOG`, else to the home; nowhere where there is neither. */
export function openLog(env: Readonly<Record<string, string | undefined>>, home: string | undefined): Log {
  const path = env.AGENTAO_LOG || (home === undefined ? undefined : join(home, "agentao.log"));
  if (path === undefined) return () => {};
  return (message) => {
    try {
      makeFolderSync(dirname(path), 0o700);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
      const line = JSON.stringify({ at: new Date().toISOString(), pid: process.pid, message: redact(message) });
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch {
      // A log that cannot be written is no reason to stop working.
    }
  };
}
