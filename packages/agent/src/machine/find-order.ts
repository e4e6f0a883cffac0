// Which files come first: those somebody works on, newest first, then the others by path.

import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { errorCode } from "../fault/error-code.ts";

const RECENT_MS = 24 * 3_600_000;
/** As long as a look takes next to nothing, waiting for it costs more. */
const FAST = { looks: 16, ms: 8 };
/** Then others get their turn. */
const TURN_MS = 4;

interface Used {
  readonly path: string;
  readonly modifiedMs: number;
}

/** Those that are files, in order. What cannot be looked at is kept, as old. Throws the signal's reason. */
export async function byUse(paths: readonly string[], signal: AbortSignal, now = Date.now()): Promise<string[]> {
  const files = await lookAtAll(paths, signal);
  return files.sort((a, b) => compare(a, b, now - RECENT_MS)).map(({ path }) => path);
}

function compare(a: Used, b: Used, since: number): number {
  const [aMs, bMs] = [Math.max(a.modifiedMs, since), Math.max(b.modifiedMs, since)];
  if (aMs !== bMs) return bMs - aMs;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

async function lookAtAll(paths: readonly string[], signal: AbortSignal): Promise<Used[]> {
  const files: (Used | undefined)[] = [];
  let turnEnds = performance.now() + TURN_MS;
  let isFast = true;
  while (files.length < paths.length) {
    const some = paths.slice(files.length, files.length + FAST.looks);
    const began = performance.now();
    files.push(...(isFast ? some.map(lookNow) : await Promise.all(some.map(look))));
    const now = performance.now();
    isFast &&= now - began < FAST.ms;
    if (now > turnEnds) {
      await new Promise(setImmediate);
      turnEnds = performance.now() + TURN_MS;
    }
    signal.throwIfAborted();
  }
  return files.filter((file) => file !== undefined);
}

function lookNow(path: string): Used | undefined {
  try {
    return toUsed(path, statSync(path));
  } catch (error) {
    return unseen(path, error);
  }
}

function look(path: string): Promise<Used | undefined> {
  return stat(path).then(
    (stats) => toUsed(path, stats),
    (error: unknown) => unseen(path, error),
  );
}

function toUsed(path: string, stats: Stats): Used | undefined {
  return stats.isFile() ? { path, modifiedMs: stats.mtimeMs } : undefined;
}

/** A name that is not UTF-8 cannot be spelled; the file is there nevertheless. */
function unseen(path: string, error: unknown): Used | undefined {
  const isGone = ["ENOENT", "ELOOP"].includes(errorCode(error) ?? "") && !path.includes("\uFFFD");
  return isGone ? undefined : { path, modifiedMs: 0 };
}
