// Runs ripgrep: the one that came with us, else the one on PATH, else none. It gets no shell, no configuration and no
// input, has a group of its own and is gone when this settles.

import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { TOKENS } from "./find-hidden.ts";
import { type FoundText, MachineError } from "./machine.ts";
import { signalGroup } from "./process-group.ts";
import { createOutputReader } from "./ripgrep-output.ts";
import type { Hits } from "./search-hits.ts";
import type { Search } from "./search-query.ts";

export type Ended = FoundText["ended"];

export const noRipgrep: Ripgrep = { search: async () => "missing" };

export interface Ripgrep {
  /** "missing" when there is none that runs. Throws the signal's reason, and `failed` for what it refuses. */
  search(
    search: Search,
    hits: Hits,
    limits: { readonly maxMs: number },
    signal: AbortSignal,
  ): Promise<Ended | "missing">;
}

type Env = Search["env"];

const WINDOWS = process.platform === "win32";
const PROGRAM = WINDOWS ? "rg.exe" : "rg";
const MAX_ERROR_CHARS = 4_000;

/** `own` finds the one that came with us. */
export function createRipgrep({ own = ownProgram } = {}): Ripgrep {
  let program: string | undefined;
  return {
    async search(search, hits, limits, signal) {
      for (const candidate of program === undefined ? [own, () => onPath(search.env)] : [async () => program]) {
        const path = await candidate();
        const ended = path === undefined ? "missing" : await searchBy(path, search, hits, limits.maxMs, signal);
        if (ended === "missing") continue;
        program = path;
        return ended;
      }
      return "missing";
    },
  };
}

/** The package refuses to load where it has no program for the platform. */
async function ownProgram(): Promise<string | undefined> {
  return import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => undefined,
  );
}

async function onPath(env: Env): Promise<string | undefined> {
  for (const folder of (env.PATH ?? env.Path ?? "").split(delimiter)) {
    const path = join(folder, PROGRAM);
    const isThere =
      folder !== "" &&
      (await access(path, constants.X_OK).then(
        () => true,
        () => false,
      ));
    if (isThere) return path;
  }
  return undefined;
}

async function searchBy(program: string, search: Search, hits: Hits, maxMs: number, signal: AbortSignal) {
  signal.throwIfAborted();
  const child = spawn(program, toArguments(search), {
    cwd: search.folder,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    detached: !WINDOWS,
    windowsHide: true,
  });
  let ended: Ended | undefined;
  const end = (how?: Ended): void => {
    ended ??= how;
    signalGroup(child, "SIGKILL");
  };
  const abort = (): void => end();
  const timer = setTimeout(() => end("too-long"), maxMs);
  signal.addEventListener("abort", abort);
  try {
    const { exitCode, problem } = await readAll(child, search, hits, () => end("too-many"), signal);
    signal.throwIfAborted();
    if (ended !== undefined) return ended;
    if (exitCode === 2 && problem !== "") return refused(problem);
    const isBroken = exitCode === null || exitCode > 2;
    return isBroken && hits.total === 0 ? "missing" : isBroken ? "too-long" : "by-itself";
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

interface Exit {
  /** Null when it was killed, or never ran. */
  readonly exitCode: number | null;
  readonly problem: string;
}

/** Settles when the process is gone, or at once when nobody waits for it any more. */
function readAll(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream },
  search: Search,
  hits: Hits,
  onEnough: () => void,
  signal: AbortSignal,
): Promise<Exit> {
  const wanted = createWanted(search);
  const reader = createOutputReader({
    onMatch(path, line, text) {
      const found = wanted(path);
      return found === undefined || hits.add(found, line, text);
    },
    onBinary(path) {
      const found = wanted(path);
      if (found !== undefined) hits.drop(found);
    },
  });
  let problem = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (!reader.write(chunk)) onEnough();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (problem.length < MAX_ERROR_CHARS) problem += chunk.toString("utf8");
  });
  return new Promise((resolve) => {
    const nothing = (): void => resolve({ exitCode: null, problem });
    signal.addEventListener("abort", nothing, { once: true });
    // It could not be started: not there, not for this machine, or not allowed.
    child.on("error", nothing);
    child.on("close", (exitCode) => {
      signal.removeEventListener("abort", nothing);
      reader.end();
      resolve({ exitCode, problem });
    });
  });
}

/** Absolute paths of those that are wanted. Matches of one file come one after the other. */
function createWanted({ folder, wants }: Search): (path: string) => string | undefined {
  let last: { path: string; found: string | undefined } | undefined;
  return (path) => {
    if (last?.path === path) return last.found;
    const inner = path.replace(/^\.[/\\]/, "");
    const found = wants(WINDOWS ? inner.replaceAll("\\", "/") : inner) ? join(folder, inner) : undefined;
    last = { path, found };
    return found;
  };
}

function toArguments(search: Search): string[] {
  const { pattern, isRegex, isCaseSensitive, names, onlyFile, passed, hidden } = search;
  return [
    ...["--no-config", "--no-messages", "--color=never", "--no-heading", "--with-filename"],
    ...["--null", "--line-number", "--column", "--crlf", "--hidden", "--no-ignore-global"],
    ...(isRegex ? ["--engine=auto"] : ["--fixed-strings"]),
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    ...{ all: [], below: ["--no-ignore-parent"], none: ["--no-ignore"] }[search.ignoring],
    ...(search.isInRepository ? [] : ["--no-require-git"]),
    ...(names === undefined ? [] : [`--type-add=wanted:${names}`, "--type=wanted"]),
    // Not as an argument of its own: a file that is named so would be read even if it is binary.
    ...(onlyFile === undefined ? [] : ["--max-depth=1", `--glob=/${escaped(onlyFile)}`]),
    ...[...passed].map((name) => `--glob=!${name}/`),
    ...[...hidden.paths].map((path) => `--glob=!/${escaped(path)}`),
    ...(onlyFile === undefined ? [`--glob=!**/${TOKENS}/`] : []),
    ...["-e", pattern, "--", "./"],
  ];
}

function escaped(name: string): string {
  return name.replace(/[\\*?[\]{}!]/g, "\\$&");
}

/** A version that does not know our flags is as good as none. */
function refused(problem: string): "missing" {
  if (/unrecognized flag|unexpected argument|wasn't expected/.test(problem)) return "missing";
  const reason = /error: (.+)/.exec(problem)?.[1] ?? problem.replace(/^rg: /, "").trim();
  throw new MachineError("failed", `The pattern is not a valid regular expression: ${reason}`);
}
