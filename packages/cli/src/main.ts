#!/usr/bin/env node
// Where the program starts: finds out what was asked for, answers what is known at once, and loads the rest compiled.

import { isAbsolute, join } from "node:path";
import type { CompiledFile } from "./compiled/compiled-file.ts";
import { type Asked, parseFlags } from "./flags.ts";
import { help } from "./help.ts";
import { findHome } from "./home.ts";
import { version } from "./version.ts";

/** The build puts in which file it is. */
declare const PROGRAM: { readonly file: string; readonly hash: string };

void start(parseFlags(process.argv.slice(2)));

async function start(asked: Asked): Promise<void> {
  switch (asked.type) {
    case "acp": {
      const { exports, keep } = await load("acp");
      return exports.serve(asked, keep);
    }
    case "command":
      return run(asked.name, asked.args);
    case "help":
      return void toReader().write(help);
    case "version":
      return void toReader().write(`${version}\n`);
    case "wrong":
      complain(`${asked.problem}\nTry "agentao --help".`, 2);
  }
}

async function run(name: string, args: readonly string[]): Promise<void> {
  const cwd = ownFolder();
  if (cwd === undefined) return complain("this folder is not there any more; go to another one, and start again", 2);
  const { exports, keep } = await load(name);
  // Who does not hear of a trouble has none.
  process.stderr.on("error", () => {});
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ending.abort(signal));
  const { stdin, stderr, env } = process;
  const io = { stdin, stdout: toReader(), stderr, env, cwd, signal: ending.signal };
  const code = await exports.runCommand(name, args, io);
  process.exitCode = code;
  const isHelp = args.includes("--help") || args.includes("-h");
  // A command line that makes no sense is 2.
  if (code !== 2 && !isHelp) keep();
}

async function load(name: string): Promise<CompiledFile<typeof import("./program.ts")>> {
  const [{ openCodeCache }, { loadCompiledFile }] = await Promise.all([
    import("./compiled/code-cache.ts"),
    import("./compiled/compiled-file.ts"),
  ]);
  const purpose = /^[a-z]+$/.test(name) ? name : "other";
  const cache = openCodeCache(cacheFolders(), { hash: PROGRAM.hash, purpose });
  const loader = { require, import: (name: string): Promise<unknown> => import(name) };
  return loadCompiledFile(join(__dirname, PROGRAM.file), loader, cache);
}

/** None where Node itself is told to keep none. A home by a relative path is a place in whatever project we are in. */
function cacheFolders(): readonly string[] {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return [];
  const home = findHome(process.env);
  return [join(__dirname, "cache"), ...(home === undefined || !isAbsolute(home) ? [] : [join(home, "cache")])];
}

/** Whoever reads our output may have had enough of it. What else is wrong with it is told in the end, if nobody has. */
function toReader(): NodeJS.WriteStream & { fd: 1 } {
  let unwritable: Error | undefined;
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") unwritable ??= cause;
  });
  process.once("exit", () => {
    if (unwritable === undefined || process.exitCode) return;
    complain(`the output cannot be written: ${unwritable.message}`, 1);
  });
  return process.stdout;
}

/** Nothing where somebody has removed it. */
function ownFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function complain(problem: string, exitCode: number): void {
  process.stderr.write(`agentao: ${problem}\n`);
  process.exitCode = exitCode;
}
