// Fills a fork with what was said in the session it comes from.

import { fault } from "../fault/fault.ts";
import type { SessionId, TurnId } from "../id/id.ts";
import type { Entry, EntryBody } from "./entry.ts";
import { type Journal, JournalError } from "./journal.ts";
import { type Failed, failed, type Missing, unwritable } from "./refusal.ts";

interface Source {
  readonly id: SessionId;
  entries(): AsyncIterable<readonly Entry[]>;
}

/**
 * Copies entries with their times: all of them, or up to the end of one turn and what was set after it, before the next
 * prompt. Refuses when that turn is not there, or the journal cannot be written; then some of it is copied.
 */
export async function fillFork(journal: Journal, source: Source, upTo?: TurnId): Promise<Missing | Failed | undefined> {
  try {
    const isWhole = await copy(journal, source.entries(), upTo);
    if (isWhole) return undefined;
    return { type: "missing", fault: fault("journal", `Session ${source.id} has no turn ${upTo}.`) };
  } catch (cause) {
    if (cause instanceof JournalError) return failed("unwritable", cause.fault);
    return unwritable(cause, `the journal of session ${source.id}`);
  }
}

/** Whether the turn was met. */
async function copy(journal: Journal, source: AsyncIterable<readonly Entry[]>, upTo?: TurnId): Promise<boolean> {
  let isMet = upTo === undefined;
  for await (const entries of source) {
    for (const entry of entries) {
      if (entry.type === "session") continue;
      if (entry.type === "prompt" && upTo !== undefined) {
        if (isMet) return true;
        isMet = entry.turnId === upTo;
      }
      const { at, ...body } = entry;
      journal.append(body as EntryBody, at);
    }
  }
  return isMet;
}
