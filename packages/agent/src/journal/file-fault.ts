// What a failed file operation means to a person, and what to do about it.

import { errorCode } from "../fault/error-code.ts";
import { type Fault, fault } from "../fault/fault.ts";

export function fileFault(cause: unknown, path: string): Fault {
  return fault("journal", explain(errorCode(cause), path), { cause });
}

function explain(code: string | undefined, path: string): string {
  switch (code) {
    case "ENOSPC":
      return `The disk is full, so the session cannot be written to ${path}. Free some space, then go on.`;
    case "EDQUOT":
      return `Your disk quota is used up, so the session cannot be written to ${path}. Free some space, then go on.`;
    case "EFBIG":
      return `${path} is as large as a file may be here, so the session cannot be written. Raise the limit (ulimit -f), or start a new session.`;
    case "EROFS":
      return `${path} is on a read-only file system, so the session cannot be written. Make it writable, or keep sessions in another folder.`;
    case "EACCES":
    case "EPERM":
      return `Access to ${path} is not permitted, so the session cannot be kept. Change its permissions, or keep sessions in another folder.`;
    case "EMFILE":
    case "ENFILE":
      return `Too many files are open, so the session cannot be written to ${path}. Close some sessions, or raise the limit (ulimit -n).`;
    default:
      return `The session cannot be kept in ${path} (${code ?? "unknown error"}). Check the disk, or keep sessions in another folder.`;
  }
}
