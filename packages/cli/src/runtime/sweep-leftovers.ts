// Takes away the temporary folders of earlier processes of ours that were killed before they could do so themselves.

import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../io/is-alive.ts";

/** More than these wait for the next time. */
const MAX_FOLDERS = 100;
const MIN_AGE_MS = 24 * 3_600_000;

/** `folder` holds one `agentao-PID` for each process. Never rejects: what cannot be taken away stays. */
export async function sweepLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const dead = names.filter((name) => {
    const pid = Number(/^agentao-(\d+)$/.exec(name)?.[1]);
    return pid > 0 && !isAlive(pid);
  });
  for (const name of dead.slice(0, MAX_FOLDERS)) {
    const path = join(folder, name);
    if (await isOurs(path)) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** A folder, not a link to one, that belongs to this person; an old one, for a process elsewhere may have that number. */
async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  const isOld = found !== undefined && Date.now() - found.mtimeMs > MIN_AGE_MS;
  return isOld && found.isDirectory() && found.uid === process.getuid?.();
}
