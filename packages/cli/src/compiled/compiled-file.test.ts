import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CodeCache, KeptCode } from "./code-cache.ts";
import { loadCompiledFile } from "./compiled-file.ts";

interface Sample {
  where(): string;
  load(): Promise<unknown>;
  sep(): string;
}

const SOURCE = `(function(module,require,__import,__filename){module.exports={
  where:()=>__filename,load:()=>__import("something"),sep:()=>require("node:path").sep}})`;

let folder: string;
let path: string;

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), "agentao-compiled-"));
  path = join(folder, "sample.js");
  writeFileSync(path, SOURCE);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** One that keeps in memory what is written. */
function memoryCache(kept?: KeptCode): CodeCache & { kept?: KeptCode | undefined; readonly writes: number } {
  let writes = 0;
  const cache = {
    kept,
    get writes() {
      return writes;
    },
    read: () => cache.kept,
    write: (made: Omit<KeptCode, "madeAt">) => {
      writes++;
      cache.kept = { ...made, madeAt: Date.now() };
    },
  };
  return cache;
}

const loader = {
  require: (name: string) => (name === "node:path" ? { sep: "/" } : undefined),
  import: async (name: string) => `imported ${name}`,
};

/** Loads, and says that a usual run was made. */
function run(cache: CodeCache): Sample {
  const { exports, keep } = loadCompiledFile<Sample>(path, loader, cache);
  keep();
  vi.advanceTimersByTime(2_000);
  return exports;
}

test("a file has its exports, its place, and what is not built in", async () => {
  const { exports } = loadCompiledFile<Sample>(path, loader, memoryCache());
  expect([exports.where(), exports.sep(), await exports.load()]).toEqual([path, "/", "imported something"]);
});

test("code is kept when a usual run was made, once, and used from then on", () => {
  const cache = memoryCache();
  loadCompiledFile(path, loader, cache);
  vi.advanceTimersByTime(2_000);
  expect(cache.writes).toBe(0);
  run(cache);
  expect(cache.writes).toBe(1);
  expect(run(cache).where()).toBe(path);
  expect(cache.writes).toBe(1);
});

test("turns in quick succession ask once", () => {
  const cache = memoryCache();
  const { keep } = loadCompiledFile<Sample>(path, loader, cache);
  const before = process.listenerCount("exit");
  for (let turn = 0; turn < 20; turn++) keep();
  expect(process.listenerCount("exit")).toBe(before + 1);
  vi.advanceTimersByTime(2_000);
  expect(cache.writes).toBe(1);
});

test("code that V8 refuses is made anew", () => {
  const cache = memoryCache({ code: Buffer.from("of another version of V8"), generation: 0, madeAt: Date.now() });
  expect(run(cache).where()).toBe(path);
  expect(cache.writes).toBe(1);
});

test("it is made again after a minute, an hour, and each day", () => {
  const cache = memoryCache();
  const seconds = [0, 59, 2, 3_590, 20, 86_000, 500, 86_000, 500];
  const writes = seconds.map((wait) => {
    vi.advanceTimersByTime(wait * 1_000);
    run(cache);
    return cache.writes;
  });
  expect(writes).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
});

test("a file without exports is not taken for one", () => {
  writeFileSync(path, "(function(){})");
  expect(() => loadCompiledFile(path, loader, memoryCache())).toThrow("exports nothing");
});
