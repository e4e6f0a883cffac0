// The session files the reference system left in a working directory. Read, never written: what is loaded from here
// goes on as a journal.

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { SessionId } from "../id/id.ts";
import type { ListedSession } from "./digest.ts";
import { type ReferenceSession, readReferenceSession } from "./reference.ts";
import { toTitle } from "./title.ts";

/** The reference system keeps ten. */
const MAX_FILES = 100;

export class ReferenceFolder {
  readonly #cwd: string;
  readonly #folder: string;
  readonly #known = new Map<string, Known>();

  constructor(cwd: string) {
    this.#cwd = cwd;
    this.#folder = join(cwd, ".agentao", "sessions");
  }

  /** Newest first. Files that cannot be read are passed over; of several of one session the newest counts. */
  async list(): Promise<readonly ListedSession[]> {
    const sessions = new Map<SessionId, ListedSession>();
    for (const { listed } of await this.#look()) {
      if (listed !== undefined && !sessions.has(listed.id)) sessions.set(listed.id, listed);
    }
    return [...sessions.values()];
  }

  /** By its whole id. */
  async find(id: SessionId): Promise<ReferenceSession | undefined> {
    const known = (await this.#look()).find(({ listed }) => listed?.id === id);
    return known && this.#read(known.path);
  }

  /** Reads the files it has not read yet. */
  async #look(): Promise<readonly Known[]> {
    const names = await readdir(this.#folder).catch(() => []);
    // Names begin with the time.
    const newest = names
      .filter((name) => name.endsWith(".json"))
      .sort()
      .reverse()
      .slice(0, MAX_FILES);
    const files: Known[] = [];
    for (const name of newest) files.push(await this.#lookAt(join(this.#folder, name)));
    this.#known.clear();
    for (const file of files) this.#known.set(file.path, file);
    return files;
  }

  async #lookAt(path: string): Promise<Known> {
    const modifiedAt = (await stat(path).catch(() => undefined))?.mtimeMs;
    const known = this.#known.get(path);
    if (known !== undefined && known.modifiedAt === modifiedAt) return known;
    const session = await this.#read(path);
    return { path, modifiedAt, listed: session && toListed(session, this.#cwd) };
  }

  async #read(path: string): Promise<ReferenceSession | undefined> {
    try {
      const reading = readReferenceSession(JSON.parse(await readFile(path, "utf8")), basename(path, ".json"));
      return reading.type === "session" ? reading.session : undefined;
    } catch {
      return undefined;
    }
  }
}

interface Known {
  readonly path: string;
  readonly modifiedAt: number | undefined;
  /** Nothing when there is nothing to come back to. */
  readonly listed: ListedSession | undefined;
}

function toListed(
  { id, createdAt, updatedAt, entries, title }: ReferenceSession,
  cwd: string,
): ListedSession | undefined {
  const prompt = entries.find((entry) => entry.type === "prompt");
  if (prompt === undefined) return undefined;
  const shown = title ?? toTitle(prompt.message);
  return { id, cwd, ...(shown !== undefined && { title: shown }), createdAt, updatedAt };
}
