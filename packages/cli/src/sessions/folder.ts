// The stored sessions of the person: where they are, which there are, and which one is meant.

import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type ListedSession,
  openStore,
  parseSessionId,
  ReferenceFolder,
  type SessionId,
  type Store,
} from "@agentao/agent";
import { findHome } from "../home.ts";
import { toLine } from "../text/plain.ts";

/** What is expected to go wrong, for the person. Exit code 1. */
export class SessionTrouble extends Error {
  override readonly name = "SessionTrouble";
}

export interface Sessions {
  readonly folder: string;
  readonly store: Store;
  /** What the reference system left in the working directory: read, never changed. */
  readonly reference: Pick<ReferenceFolder, "list" | "find">;
}

export function openSessions(env: Readonly<Record<string, string | undefined>>, cwd: string): Sessions {
  const home = findHome(env);
  if (home === undefined) throw new SessionTrouble("There is no home folder. Set AGENTAO_HOME to a folder.");
  const folder = join(home, "sessions");
  return { folder, store: openStore({ folder }), reference: new ReferenceFolder(cwd) };
}

const PAGE = 500;

/** All of them, newest first; of one working directory where one is given. */
export async function listSessions({ store, reference }: Sessions, cwd?: string): Promise<readonly ListedSession[]> {
  const journals = await listJournals(store);
  const known = new Set(journals.map(({ id }) => id));
  const others = (await reference.list()).filter(({ id }) => !known.has(id));
  const all = [...journals, ...others].sort((a, b) => b.updatedAt - a.updatedAt);
  if (cwd === undefined) return all;
  const places = [resolve(cwd), realPath(cwd)];
  return all.filter((session) => places.includes(session.cwd));
}

/** Those that are ours, and can be deleted. */
export async function listJournals(store: Store): Promise<readonly ListedSession[]> {
  const all: ListedSession[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit: PAGE, cursor });
    if (page.type === "failed") throw new SessionTrouble(page.fault.message);
    if (page.type === "invalid-cursor") throw new SessionTrouble("The sessions changed while they were listed.");
    all.push(...page.sessions);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}

/** By its id, or by a beginning of it that no other has; `sess_` may be left out. */
export async function findSession(sessions: Sessions, word: string): Promise<SessionId> {
  const id = parseSessionId(word);
  if (id !== undefined && (await sessions.store.exists(id))) return id;
  const listed = id === undefined ? [] : await listSessions(sessions);
  return onlyOf(byId(listed, word), `begin with ${shown(word)}`) ?? missing(word);
}

/** By its id likewise, else by words of its title that are in no other. */
export async function findByIdOrTitle(sessions: Sessions, word: string): Promise<SessionId> {
  const id = parseSessionId(word);
  if (id !== undefined && (await sessions.store.exists(id))) return id;
  const listed = await listSessions(sessions);
  return (
    onlyOf(byId(listed, word), `begin with ${shown(word)}`) ??
    onlyOf(byTitle(listed, word), `have "${toLine(word, 80)}" in their titles`) ??
    missing(word)
  );
}

function byId(listed: readonly ListedSession[], word: string): readonly ListedSession[] {
  return word === "" ? [] : listed.filter(({ id }) => id.startsWith(word) || id.startsWith(`sess_${word}`));
}

function byTitle(listed: readonly ListedSession[], word: string): readonly ListedSession[] {
  const wanted = word.trim().toLowerCase();
  if (wanted === "") return [];
  return listed.filter(({ title = "" }) => title.toLowerCase().includes(wanted));
}

const SHOWN = 5;

function onlyOf(found: readonly ListedSession[], what: string): SessionId | undefined {
  const [only, ...others] = found;
  if (only === undefined || others.length === 0) return only?.id;
  const rows = found.slice(0, SHOWN).map(({ id, title = "" }) => `  ${id}  ${toLine(title, 60)}`.trimEnd());
  const more = found.length > SHOWN ? [`  … and ${found.length - SHOWN} more`] : [];
  const lines = [`${found.length} sessions ${what}. Write more of it:`, ...rows, ...more];
  throw new SessionTrouble(lines.join("\n"));
}

function missing(word: string): never {
  throw new SessionTrouble(`There is no session ${shown(word)}. "agentao sessions list --all" shows which there are.`);
}

function shown(word: string): string {
  return /^[\w-]{1,80}$/.test(word) ? word : `"${toLine(word, 80)}"`;
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
