// The one place where an error of the system becomes a sentence. Whatever the machine throws has passed here.

import { errorCode } from "../fault/error-code.ts";
import { MachineError } from "./machine.ts";

/** Runs `action`; what it throws is a `MachineError`, or the signal's reason. */
export async function attempt<T>(
  verb: "read" | "write" | "list",
  path: string,
  signal: AbortSignal,
  action: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  try {
    return await action();
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MachineError ? error : toMachineError(error, verb, path);
  }
}

function notFound(path: string, options?: ErrorOptions): MachineError {
  return new MachineError("not-found", `File ${path} does not exist`, options);
}

function toMachineError(cause: unknown, verb: string, path: string): MachineError {
  const code = errorCode(cause);
  const fail = (message: string): MachineError => new MachineError("failed", message, { cause });
  switch (code) {
    case "ENOENT":
      return notFound(path, { cause });
    case "ENOTDIR":
      return new MachineError("not-a-folder", `A parent of ${path} is a file, not a folder`, { cause });
    case "EISDIR":
      return new MachineError("not-a-file", `${path} is a folder`, { cause });
    case "EACCES":
    case "EPERM":
      return new MachineError("denied", `No permission to ${verb} ${path}`, { cause });
    case "EROFS":
      return new MachineError("denied", `${path} is on a read-only file system`, { cause });
    case "ENOSPC":
    case "EDQUOT":
      return fail(`No space left to write ${path}`);
    case "ELOOP":
      return fail(`${path} leads through links without an end`);
    case "ENAMETOOLONG":
      return fail(`${path} is too long a path`);
    case "ERR_INVALID_ARG_VALUE":
      return fail("A path must not contain a NUL character");
    default:
      return fail(`Could not ${verb} ${path}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
