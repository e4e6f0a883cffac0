// The world of a command, for tests: what is typed, what is said, and nobody's own environment.

import { PassThrough } from "node:stream";
import type { Io } from "./io.ts";

export interface ScriptedIo extends Io {
  readonly said: string;
  readonly complained: string;
}

export interface IoScript {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What a person types; without it there is nobody. */
  readonly typed?: string;
}

export function scriptedIo({ env = {}, cwd = "/", typed }: IoScript = {}): ScriptedIo {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const heard = { stdout: "", stderr: "" };
  stdout.on("data", (chunk) => {
    heard.stdout += chunk;
  });
  stderr.on("data", (chunk) => {
    heard.stderr += chunk;
  });
  stdin.end(typed ?? "");
  return {
    stdin: Object.assign(stdin, { isTTY: typed !== undefined }),
    stdout,
    stderr,
    env: { AGENTAO_LOCAL_MODELS: "0", ...env },
    cwd,
    signal: new AbortController().signal,
    get said() {
      return heard.stdout;
    },
    get complained() {
      return heard.stderr;
    },
  };
}
