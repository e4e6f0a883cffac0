// What was found in a folder of journals, kept so that the next process need not look again. Never the truth: a record
// counts only while the file it tells of is as it was, and all of it may be lost.

import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseSessionId } from "../id/id.ts";
import type { Pace } from "./pace.ts";
import type { Scan } from "./scan.ts";

/** By which a file is known again. Inode numbers are used anew at once, so the time of birth is part of the identity. */
export interface FileMark {
  readonly inode: number;
  readonly bornAt: number;
  readonly size: number;
  readonly modifiedAt: number;
}

/** What a file held when it looked like this. */
export interface IndexRecord extends Scan {
  readonly id: string;
  readonly mark: FileMark;
}

/** So many outdated lines are carried along before the file is written anew. */
const MAX_OUTDATED = 1000;

export class IndexFile {
  readonly #path: string;
  #lines = 0;
  /** Whoever wrote last died in the middle of a line. */
  #isTorn = false;

  constructor(folder: string) {
    // No session id begins with a dot.
    this.#path = join(folder, ".index-1.jsonl");
  }

  /** The last record of each session. Lines that are no records are passed over. */
  async read(pace: Pace): Promise<Map<string, IndexRecord>> {
    const records = new Map<string, IndexRecord>();
    const text = await readFile(this.#path, "utf8").catch(() => "");
    this.#isTorn = text !== "" && !text.endsWith("\n");
    for (const line of text.split("\n")) {
      if (line === "") continue;
      this.#lines++;
      const record = parseRecord(line);
      if (record !== undefined) records.set(record.id, record);
      if (pace.isDue) await pace.rest();
    }
    return records;
  }

  /** Adds what changed to what is `known`. Never throws: what is not kept is found again. */
  keep(changed: readonly IndexRecord[], known: ReadonlyMap<string, IndexRecord>): void {
    try {
      const isCrowded = this.#lines + changed.length > known.size + Math.max(known.size, MAX_OUTDATED);
      if (isCrowded) this.#rewrite([...known.values()]);
      else this.#add(changed);
    } catch {
      // A read-only folder has no index.
    }
  }

  /** Writes only what is `known`: a session that was deleted leaves no title behind. Never throws. */
  forget(known: ReadonlyMap<string, IndexRecord>): void {
    try {
      this.#rewrite([...known.values()]);
    } catch {
      // A read-only folder has no index.
    }
  }

  #add(records: readonly IndexRecord[]): void {
    appendFileSync(this.#path, (this.#isTorn ? "\n" : "") + toText(records), { mode: 0o600 });
    this.#isTorn = false;
    this.#lines += records.length;
  }

  /** What another process adds in between is lost, and found again. */
  #rewrite(records: readonly IndexRecord[]): void {
    const draft = join(dirname(this.#path), `.index-${process.pid}.new`);
    writeFileSync(draft, toText(records), { mode: 0o600 });
    renameSync(draft, this.#path);
    this.#lines = records.length;
  }
}

function toText(records: readonly IndexRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function parseRecord(line: string): IndexRecord | undefined {
  try {
    const record = JSON.parse(line) as IndexRecord;
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord({ id, mark, readTo, digest }: IndexRecord): boolean {
  if (![mark.inode, mark.bornAt, mark.size, mark.modifiedAt, readTo].every(Number.isFinite)) return false;
  if (digest === undefined) return parseSessionId(id) !== undefined;
  const { cwd, additionalRoots = [], createdAt, updatedAt, prompted, title = "", promptTitle = "" } = digest;
  return (
    digest.id === id &&
    parseSessionId(id) !== undefined &&
    [cwd, title, promptTitle].every((value) => typeof value === "string") &&
    [createdAt, updatedAt].every(Number.isFinite) &&
    typeof prompted === "boolean" &&
    Array.isArray(additionalRoots)
  );
}
