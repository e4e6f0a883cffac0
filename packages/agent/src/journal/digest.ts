// What a list shows of a session, folded from its entries. Pure, and plain values only: digests are kept in an index.

import type { SessionId } from "../id/id.ts";
import type { Entry } from "./entry.ts";
import { boundTitle, toTitle } from "./title.ts";

export interface Digest {
  readonly id: SessionId;
  readonly cwd: string;
  readonly additionalRoots?: readonly string[] | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** A session that was never prompted is nothing to come back to. */
  readonly prompted: boolean;
  readonly title?: string | undefined;
  /** What it is called while it has no title. */
  readonly promptTitle?: string | undefined;
}

/** Times are milliseconds since 1970. */
export interface ListedSession {
  readonly id: SessionId;
  readonly cwd: string;
  readonly additionalRoots?: readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Nothing until the header came. */
export function foldDigest(digest: Digest | undefined, entry: Entry): Digest | undefined {
  if (digest === undefined) {
    if (entry.type !== "session") return undefined;
    const { id, cwd, additionalRoots, at } = entry;
    return { id, cwd, ...(additionalRoots && { additionalRoots }), createdAt: at, updatedAt: at, prompted: false };
  }
  const next = { ...digest, updatedAt: entry.at };
  switch (entry.type) {
    case "prompt":
      return digest.prompted ? next : { ...next, prompted: true, promptTitle: toTitle(entry.message) };
    case "title":
      return { ...next, title: boundTitle(entry.title) || undefined };
    case "roots":
      return { ...next, cwd: entry.cwd, additionalRoots: entry.additionalRoots };
    default:
      return next;
  }
}

/** Nothing when the session is not worth a line in a list. */
export function toListed(digest: Digest | undefined): ListedSession | undefined {
  if (digest?.prompted !== true) return undefined;
  const { id, cwd, additionalRoots, createdAt, updatedAt } = digest;
  const title = digest.title ?? digest.promptTitle;
  return {
    id,
    cwd,
    ...(additionalRoots !== undefined && additionalRoots.length > 0 && { additionalRoots }),
    ...(title !== undefined && { title }),
    createdAt,
    updatedAt,
  };
}
