// Which sessions a folder holds. Looks again only at files that changed: a journal grows only while its lock is there,
// and locks come and go by way of the folder, so a folder that did not change needs no second look at closed sessions.

import { readdirSync, statSync } from "node:fs";
import { parseSessionId, type SessionId } from "../id/id.ts";
import { type ListedSession, toListed } from "./digest.ts";
import { journalPath } from "./header.ts";
import { type FileMark, IndexFile, type IndexRecord } from "./index-file.ts";
import { Pace } from "./pace.ts";
import { byNewest } from "./page.ts";
import { Scanner, UNREAD } from "./scan.ts";

/** File systems count time in steps of up to two seconds; a folder that changed just now may change unseen. */
const SETTLED_MS = 2000;

export class Catalog {
  readonly #folder: string;
  readonly #index: IndexFile;
  #records: Map<string, IndexRecord> | undefined;
  #sessions: readonly ListedSession[] = [];
  /** The folder as it was when all its files were looked at; nothing while it may have changed unseen. */
  #seen: FileMark | undefined;
  #locked: readonly SessionId[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
    this.#index = new IndexFile(folder);
  }

  /** All sessions worth a line, newest first. A folder that is not there holds none. Throws what the file system throws. */
  sessions(): Promise<readonly ListedSession[]> {
    const turn = this.#last.then(() => this.#refresh());
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #refresh(): Promise<readonly ListedSession[]> {
    const pace = new Pace();
    this.#records ??= await this.#index.read(pace);
    const records = this.#records;
    const now = Date.now();
    const folder = markOf(this.#folder);
    if (folder !== undefined && isSame(folder, this.#seen)) {
      const changed = await this.#lookAt(this.#locked, records, pace);
      if (changed.length > 0) this.#sessions = toSorted(records);
      return this.#sessions;
    }
    const names = folder === undefined ? [] : readdirSync(this.#folder);
    const ids = idsOf(names, ".jsonl");
    const hasLost = dropOthers(records, ids);
    const changed = await this.#lookAt(ids, records, pace);
    if (hasLost) this.#index.forget(records);
    if (hasLost || changed.length > 0 || this.#sessions.length === 0) this.#sessions = toSorted(records);
    this.#locked = idsOf(names, ".lock");
    const isSettled = folder !== undefined && now - folder.modifiedAt > SETTLED_MS && records.size === ids.length;
    this.#seen = isSettled ? folder : undefined;
    return this.#sessions;
  }

  /** Brings the records of these sessions up to date; returns those that changed. What cannot be read is left out. */
  async #lookAt(ids: readonly SessionId[], records: Map<string, IndexRecord>, pace: Pace): Promise<IndexRecord[]> {
    const scanner = new Scanner(pace);
    const changed: IndexRecord[] = [];
    for (const id of ids) {
      if (pace.isDue) await pace.rest();
      const path = journalPath(this.#folder, id);
      const mark = markOf(path);
      const known = records.get(id);
      if (mark === undefined || isSame(mark, known?.mark)) continue;
      const scan = await scanner.scan(path, wasGrown(known, mark) ? known : UNREAD).catch(() => undefined);
      if (scan === undefined) continue;
      const record: IndexRecord = { id, mark, ...scan };
      records.set(id, record);
      changed.push(record);
    }
    if (changed.length > 0) this.#index.keep(changed, records);
    return changed;
  }
}

function markOf(path: string): FileMark | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { inode: stats.ino, bornAt: stats.birthtimeMs, size: stats.size, modifiedAt: stats.mtimeMs };
}

function isSame(a: FileMark, b: FileMark | undefined): boolean {
  return b !== undefined && isSameFile(a, b) && a.size === b.size && a.modifiedAt === b.modifiedAt;
}

function isSameFile(a: FileMark, b: FileMark): boolean {
  return a.inode === b.inode && a.bornAt === b.bornAt;
}

/** Whether the file is the one we know, with more at its end. */
function wasGrown(known: IndexRecord | undefined, mark: FileMark): known is IndexRecord {
  return known !== undefined && isSameFile(known.mark, mark) && known.readTo <= mark.size;
}

function idsOf(names: readonly string[], ending: string): SessionId[] {
  const ids: SessionId[] = [];
  for (const name of names) {
    const id = name.endsWith(ending) ? parseSessionId(name.slice(0, -ending.length)) : undefined;
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Whether there were any. */
function dropOthers(records: Map<string, IndexRecord>, ids: readonly SessionId[]): boolean {
  const there = new Set<string>(ids);
  const before = records.size;
  for (const id of records.keys()) if (!there.has(id)) records.delete(id);
  return records.size < before;
}

function toSorted(records: ReadonlyMap<string, IndexRecord>): ListedSession[] {
  const sessions: ListedSession[] = [];
  for (const { digest } of records.values()) {
    const listed = toListed(digest);
    if (listed !== undefined) sessions.push(listed);
  }
  return sessions.sort(byNewest);
}
