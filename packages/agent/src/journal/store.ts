// The folder of journals. Sessions are files and the folder is the only truth; whatever else lies in it can be thrown away.

import { rmSync } from "node:fs";
import { errorCode } from "../fault/error-code.ts";
import type { Fault } from "../fault/fault.ts";
import type { SessionId, TurnId } from "../id/id.ts";
import { Catalog } from "./catalog.ts";
import { fileFault } from "./file-fault.ts";
import { fillFork } from "./fork.ts";
import { journalPath, lockPath, readHeader } from "./header.ts";
import {
  type CreateOptions,
  createJournal,
  type JournalOptions,
  type NewHeader,
  type Opened,
  openJournal,
} from "./journal.ts";
import { takeLock } from "./lock.ts";
import { type Listing, type ListQuery, toPage } from "./page.ts";
import { readEntries } from "./read.ts";
import { type Failed, inUse, type Missing, unwritable } from "./refusal.ts";

/** Nothing here throws what is expected: it is refused. Whoever gets a journal closes it. */
export interface Store {
  create(header: NewHeader, options?: CreateOptions): Promise<Opened | Failed>;
  open(id: SessionId): Promise<Opened | Missing | Failed>;
  exists(id: SessionId): Promise<boolean>;
  /** Newest first; sessions that were never prompted are left out. Opens and changes none. */
  list(query?: ListQuery): Promise<SessionPage>;
  /** Nothing when it is gone, or was already. A session that is open anywhere stays. */
  delete(id: SessionId): Promise<Fault | undefined>;
  /** Makes a session that begins with what was said in another, which may be open. The new one is not opened. */
  fork(
    from: SessionId,
    header: NewHeader,
    options?: ForkOptions,
  ): Promise<{ readonly type: "forked" } | Missing | Failed>;
}

export type SessionPage = Listing | Failed;

export interface ForkOptions {
  /** The last turn that is copied. */
  readonly upTo?: TurnId | undefined;
}

export interface StoreOptions extends JournalOptions {
  readonly folder: string;
}

/** Touches nothing until it is asked to; the folder is made with the first session. */
export function openStore({ folder, ...options }: StoreOptions): Store {
  const catalog = new Catalog(folder);
  return {
    create: async (header, more) => createJournal(folder, header, { ...options, ...more }),
    open: async (id) => openJournal(folder, id, options),
    exists: async (id) => readHeader(folder, id).type === "header",
    list: (query = {}) => list(catalog, query, folder),
    delete: async (id) => deleteSession(folder, id),
    async fork(from, header, { upTo } = {}) {
      const source = readHeader(folder, from);
      if (source.type !== "header") return source;
      const opened = createJournal(folder, { ...header, forkedFrom: from }, options);
      if (opened.type === "failed") return opened;
      const entries = () => readEntries(journalPath(folder, from));
      const refusal = await fillFork(opened.journal, { id: from, entries }, upTo);
      opened.journal.close();
      if (refusal !== undefined) deleteSession(folder, header.id);
      return refusal ?? { type: "forked" };
    },
  };
}

async function list(catalog: Catalog, query: ListQuery, folder: string): Promise<SessionPage> {
  try {
    return toPage(await catalog.sessions(), query);
  } catch (cause) {
    return unwritable(cause, folder);
  }
}

function deleteSession(folder: string, id: SessionId): Fault | undefined {
  try {
    const locking = takeLock(lockPath(folder, id));
    if (locking.type === "held") return inUse(id, locking.pid).fault;
    try {
      rmSync(journalPath(folder, id), { force: true });
    } finally {
      locking.lock.release();
    }
    return undefined;
  } catch (cause) {
    return errorCode(cause) === "ENOENT" ? undefined : fileFault(cause, folder);
  }
}
