// The entries of one stored session, whoever wrote it. It may be open elsewhere: nothing is locked and nothing is changed.

import { type Damage, type Entry, journalPath, readEntries, type SessionId } from "@agentao/agent";
import { fieldOf } from "../json/fields.ts";
import type { Sessions } from "./folder.ts";

export interface ReadOptions {
  readonly onDamage?: (damage: Damage) => void;
}

/** Throws what the file system throws. */
export async function* readSession(
  { folder, reference }: Sessions,
  id: SessionId,
  options: ReadOptions = {},
): AsyncGenerator<readonly Entry[], void> {
  try {
    yield* readEntries(journalPath(folder, id), options);
  } catch (cause) {
    const isMissing = fieldOf(cause, "code") === "ENOENT";
    const entries = isMissing ? await referenceEntries(reference, id) : undefined;
    if (entries === undefined) throw cause;
    yield entries;
  }
}

/** The reference system writes down only when a session began, and when it was used last. */
async function referenceEntries(
  reference: Sessions["reference"],
  id: SessionId,
): Promise<readonly Entry[] | undefined> {
  const [listed, session] = [(await reference.list()).find((one) => one.id === id), await reference.find(id)];
  if (listed === undefined || session === undefined) return undefined;
  const { model, title, entries, createdAt, updatedAt: at } = session;
  return [
    { type: "session", version: 1, id, cwd: listed.cwd, at: createdAt },
    ...(model === undefined ? [] : [{ type: "model", modelId: model, at } as const]),
    ...(title === undefined ? [] : [{ type: "title", title, at } as const]),
    ...entries.map((entry) => ({ ...entry, at })),
  ];
}
