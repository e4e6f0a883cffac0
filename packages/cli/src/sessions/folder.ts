// The stored sessions of the person: where they are, which there are, and which one is meant.

import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { type ListedSession, openStore, parseSessionId, type SessionId, type Store } from "@agentao/agent";
import { findHome } from "../home.ts";

/** What is expected to go wrong, for the person. Exit code 1. */
export class SessionTrouble extends Error {
  override readonly name = "SessionTrouble";
}

export interface Sessions {
  readonly folder: string;
  readonly store: Store;
}

export function openSessions(env: Readonly<Record<string, string | undefined>>): Sessions {
  const home = findHome(env);
  if (home === undefined) throw new SessionTrouble("There is no home folder. Set AGENTAO_HOME to a folder.");
  const folder = join(home, "sessions");
  return { folder, store: openStore({ folder }) };
}

const PAGE = 500;

/** All of them, newest first; of one working directory where one is given. */
export async function listSessions(store: Store, cwd?: string): Promise<readonly ListedSession[]> {
  const all: ListedSession[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit: PAGE, cursor });
    if (page.type === "failed") throw new SessionTrouble(page.fault.message);
    if (page.type === "invalid-cursor") throw new SessionTrouble("The sessions changed while they were listed.");
    all.push(...page.sessions);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  if (cwd === undefined) return all;
  const places = [resolve(cwd), realPath(cwd)];
  return all.filter((session) => places.includes(session.cwd));
}

/** By its id, or by a beginning of it that no other has; `sess_` may be left out. */
export async function findSession({ store }: Sessions, word: string): Promise<SessionId> {
  const id = parseSessionId(word);
  if (id === undefined) throw new SessionTrouble(`"${word}" is not an id of a session.`);
  if (await store.exists(id)) return id;
  const found = (await listSessions(store)).filter(
    (one) => one.id.startsWith(word) || one.id.startsWith(`sess_${word}`),
  );
  const [only, ...others] = found;
  if (only === undefined) {
    throw new SessionTrouble(`There is no session ${word}. "agentao sessions list --all" shows which there are.`);
  }
  if (others.length === 0) return only.id;
  const some = found.slice(0, 5).map((one) => one.id);
  const more = found.length > some.length ? ", …" : "";
  throw new SessionTrouble(`${found.length} sessions begin with ${word}: ${some.join(", ")}${more}. Write more of it.`);
}

/** So many characters of an id that no two of them are the same. */
export function shortLength(ids: readonly string[]): number {
  const sorted = [...ids].sort();
  let length = SHORTEST;
  for (const [at, id] of sorted.entries()) {
    const next = sorted[at + 1] ?? "";
    while (length < id.length && id !== next && id.slice(0, length) === next.slice(0, length)) length++;
  }
  return length;
}

/** `sess_` and eight digits. */
const SHORTEST = 13;

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
