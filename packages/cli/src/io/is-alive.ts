// Whether there is a process with that number.

import { fieldOf } from "../json/fields.ts";

/** One that is not ours to signal is there all the same. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return fieldOf(cause, "code") === "EPERM";
  }
}
