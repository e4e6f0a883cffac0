// A list of sessions, a page at a time. A cursor names the last session of a page by its time and id, so it stays good
// while sessions come and go. Pure.

import type { ListedSession } from "./digest.ts";

export interface ListQuery {
  /** Only sessions of exactly this working directory. */
  readonly cwd?: string | undefined;
  /** From the page before. */
  readonly cursor?: string | undefined;
  /** 50 where nothing is said, 500 at most. */
  readonly limit?: number | undefined;
}

/** `nextCursor` is there exactly when there is more. */
export type Listing =
  | { readonly type: "page"; readonly sessions: readonly ListedSession[]; readonly nextCursor?: string | undefined }
  | { readonly type: "invalid-cursor" };

const DEFAULT_PAGE = 50;
const MAX_PAGE = 500;

/** `sessions` must be in the order of `byNewest`. */
export function toPage(sessions: readonly ListedSession[], query: ListQuery): Listing {
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  if (query.cursor !== undefined && after === undefined) return { type: "invalid-cursor" };
  const limit = Math.min(Math.max(1, Math.trunc(query.limit ?? DEFAULT_PAGE)), MAX_PAGE);
  const found: ListedSession[] = [];
  for (const session of sessions) {
    if (query.cwd !== undefined && session.cwd !== query.cwd) continue;
    if (after !== undefined && byNewest(session, after) <= 0) continue;
    if (found.length === limit) return { type: "page", sessions: found, nextCursor: toCursor(found.at(-1)) };
    found.push(session);
  }
  return { type: "page", sessions: found };
}

type Place = Pick<ListedSession, "updatedAt"> & { readonly id: string };

export function byNewest(a: Place, b: Place): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function toCursor(last: Place | undefined): string {
  return Buffer.from(`${last?.updatedAt}/${last?.id}`).toString("base64url");
}

function parseCursor(cursor: string): Place | undefined {
  const match = /^(-?\d+(?:\.\d+)?)\/([\w.-]+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8"));
  return match?.[1] === undefined || match[2] === undefined ? undefined : { updatedAt: Number(match[1]), id: match[2] };
}
