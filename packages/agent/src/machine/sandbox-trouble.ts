// Whether a command failed in a way that looks like the work of the sandbox. A guess, by what programs say then.

import type { CommandResult } from "./machine.ts";

/** The last words count: what went wrong earlier was perhaps no reason to fail. */
const LOOKED_AT_CHARS = 4_000;

const REFUSED =
  /read-only file ?system|\bEROFS\b|permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|device or resource busy|\bEBUSY\b|^bwrap: /im;
const UNREACHABLE =
  /network is (unreachable|down)|\bENETUNREACH\b|could ?n['o]t resolve|temporary failure in name resolution|name or service not known|\bEAI_AGAIN\b|\bENOTFOUND\b|\bECONNREFUSED\b|connection refused|no address associated|failed to (connect|resolve)|no route to host/i;

export type Trouble = "files" | "network";

export function troubleOf({ exitCode, ended, output }: CommandResult): Trouble | undefined {
  if (ended !== "by-itself" || exitCode === 0 || exitCode === null) return undefined;
  const last = output.slice(-LOOKED_AT_CHARS);
  if (UNREACHABLE.test(last)) return "network";
  return REFUSED.test(last) ? "files" : undefined;
}
