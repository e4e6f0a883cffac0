// The lines of a tree that match a pattern: by ripgrep where there is one, else file by file.

import { byUse } from "./find-order.ts";
import type { FoundText, TextQuery } from "./machine.ts";
import type { Ripgrep } from "./ripgrep.ts";
import { createHits } from "./search-hits.ts";
import { toSearch } from "./search-query.ts";
import { searchByScan } from "./search-scan.ts";

const LIMITS = { maxMs: 30_000 };

export interface Searcher {
  readonly roots: readonly string[];
  readonly home: string;
  readonly ripgrep: Ripgrep;
}

export async function searchText(
  query: TextQuery,
  { roots, home, ripgrep }: Searcher,
  signal: AbortSignal,
): Promise<FoundText> {
  const search = await toSearch(query, { roots, home });
  const hits = createHits(search.onlyFile === undefined ? query : { limitEach: query.limit });
  const byRipgrep = await ripgrep.search(search, hits, LIMITS, signal);
  const ended = byRipgrep === "missing" ? await searchByScan(search, hits, LIMITS, signal) : byRipgrep;
  const paths = await byUse(hits.paths, signal);
  const matches = paths.flatMap((path) => hits.of(path)).slice(0, query.limit);
  return { matches, total: hits.total, files: paths.length, ended };
}
