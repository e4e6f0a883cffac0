// Whether commands can be confined here, and by what: it is tried, since a program that is there may not be allowed to.

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";

export type SandboxProbe =
  | { readonly available: true; readonly type: "bubblewrap" | "seatbelt"; readonly program: string }
  /** A clause for the person. */
  | { readonly available: false; readonly why: string };

const BUBBLEWRAP = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
const SEATBELT = ["/usr/bin/sandbox-exec"];
const TRIAL = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net", "--"];
const TRIAL_MS = 5_000;
const MAX_WHY_CHARS = 200;

let probed: Promise<SandboxProbe> | undefined;

/** Tried once in a process. Never rejects. */
export function probeSandbox(): Promise<SandboxProbe> {
  probed ??= tryOut();
  return probed;
}

/** The programs are those of the system: one that a project or a variable names could be anything. */
export async function tryOut({ bubblewrap = BUBBLEWRAP, platform = process.platform } = {}): Promise<SandboxProbe> {
  if (platform === "darwin") {
    const program = await findProgram(SEATBELT);
    return program === undefined
      ? { available: false, why: "sandbox-exec is not there" }
      : { available: true, type: "seatbelt", program };
  }
  if (platform !== "linux") return { available: false, why: `there is none for ${platform}` };
  const program = await findProgram(bubblewrap);
  if (program === undefined) return { available: false, why: "bubblewrap (bwrap) is not installed" };
  const problem = await problemOf(program);
  return problem === undefined
    ? { available: true, type: "bubblewrap", program }
    : { available: false, why: `bubblewrap cannot work here: ${problem}` };
}

async function findProgram(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

function problemOf(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...TRIAL, "/bin/sh", "-c", ":"], { timeout: TRIAL_MS, env: {} }, (error, _, stderr) => {
      if (error === null) return resolve(undefined);
      const said =
        stderr
          .trim()
          .split("\n", 1)[0]
          ?.replace(/^bwrap: /, "") ?? "";
      resolve((said === "" ? error.message : said).slice(0, MAX_WHY_CHARS));
    });
  });
}
