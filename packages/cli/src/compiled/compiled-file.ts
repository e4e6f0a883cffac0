// Loads a file of the build together with what V8 has compiled of it in an earlier run, so that a start does not compile
// it again.

import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import type { CodeCache, KeptCode } from "./code-cache.ts";

export interface CompiledFile<Exports> {
  readonly exports: Exports;
  /** Says that a usual run has been made: what is compiled by now is worth keeping. May be said again. */
  keep(): void;
}

/** How the file reaches what is not built in. */
export interface Loader {
  require(name: string): unknown;
  import(name: string): Promise<unknown>;
}

/** What the build makes of a module. */
type Wrapper<Exports> = (
  module: { exports?: Exports },
  require: Loader["require"],
  load: Loader["import"],
  path: string,
) => void;

/** Nobody waits for what is kept. */
const KEEP_MS = 1_000;

/**
 * How old kept code may get before it is made again, by its generation. Each run adds what earlier ones had no use for:
 * made again soon at first, it soon is what this person uses.
 */
const AGE_MS = [60_000, 3_600_000, 24 * 3_600_000];

/** `path` is absolute. */
export function loadCompiledFile<Exports>(path: string, loader: Loader, cache: CodeCache): CompiledFile<Exports> {
  const kept = cache.read();
  const script = new Script(readFileSync(path, "latin1"), { filename: path, cachedData: kept?.code });
  const exports = run<Exports>(script, path, loader);
  let isDone = script.cachedDataRejected === false && kept !== undefined && !isOld(kept);
  const write = (): void => {
    if (isDone) return;
    isDone = true;
    cache.write({ code: script.createCachedData(), generation: nextOf(kept) });
  };
  let isAsked = false;
  return {
    exports,
    keep: () => {
      if (isDone || isAsked) return;
      isAsked = true;
      setTimeout(write, KEEP_MS).unref();
      process.once("exit", write);
    },
  };
}

function isOld({ generation, madeAt }: KeptCode): boolean {
  return Date.now() - madeAt > (AGE_MS[generation] ?? 0);
}

function nextOf(kept: KeptCode | undefined): number {
  return kept === undefined ? 0 : Math.min(kept.generation + 1, AGE_MS.length - 1);
}

function run<Exports>(script: Script, path: string, loader: Loader): Exports {
  const wrapper: Wrapper<Exports> = script.runInThisContext();
  const module: { exports?: Exports } = {};
  wrapper(module, loader.require, loader.import, path);
  if (module.exports === undefined) throw new Error(`${path} exports nothing`);
  return module.exports;
}
