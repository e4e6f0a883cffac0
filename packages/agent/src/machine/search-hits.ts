// What a search has found so far: a few lines of every file, and the count of all.

import type { TextMatch } from "./machine.ts";

export interface Hits {
  /** False when that is enough. */
  add(path: string, line: number, text: string): boolean;
  /** A file that turned out not to be text. */
  drop(path: string): void;
  readonly total: number;
  readonly paths: readonly string[];
  of(path: string): readonly TextMatch[];
}

/** A search that finds more is not worth waiting for. */
const MAX_HITS = 10_000;

export function createHits({ limitEach }: { readonly limitEach: number }): Hits {
  const files = new Map<string, { count: number; matches: TextMatch[] }>();
  let total = 0;
  return {
    add(path, line, text) {
      const file = files.get(path) ?? { count: 0, matches: [] };
      if (file.count === 0) files.set(path, file);
      file.count++;
      total++;
      if (file.matches.length < limitEach) file.matches.push({ path, line, text });
      return total < MAX_HITS;
    },
    drop(path) {
      total -= files.get(path)?.count ?? 0;
      files.delete(path);
    },
    get total() {
      return total;
    },
    get paths() {
      return [...files.keys()];
    },
    of: (path) => files.get(path)?.matches ?? [],
  };
}
