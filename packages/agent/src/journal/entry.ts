// What survives a crash: the lines of a session's file. The first is the header; every other is an event that lasts, or
// a decision for the record, with its time.

import type { LastingEvent } from "../event/event.ts";
import type { CallId, SessionId } from "../id/id.ts";

export const JOURNAL_VERSION = 1;

export interface Header {
  readonly type: "session";
  readonly version: typeof JOURNAL_VERSION;
  readonly id: SessionId;
  readonly cwd: string;
  readonly additionalRoots?: readonly string[] | undefined;
  /** The session this one was forked from. */
  readonly forkedFrom?: SessionId | undefined;
}

/** Who decided about a call, and by which rule. For the record: grants end with the live session. */
export interface DecisionEntry {
  readonly type: "decision";
  readonly callId: CallId;
  readonly allowed: boolean;
  readonly by: "rule" | "grant" | "person";
  readonly because: string;
  /** These four are missing in older journals. */
  readonly tool?: string | undefined;
  /** What was asked for, bounded and without secrets. */
  readonly request?: string | undefined;
  /** The rule that decided, or the one that made the gate ask. */
  readonly rule?: string | undefined;
  /** The option the person chose. */
  readonly answer?: string | undefined;
}

/** Marks text that was still streaming when the process died; written when the session is opened again. */
export interface InterruptedEntry {
  readonly type: "interrupted";
}

/** Where the session acts from here on: it was loaded with other roots than it was made with. Both are complete. */
export interface RootsEntry {
  readonly type: "roots";
  readonly cwd: string;
  readonly additionalRoots?: readonly string[] | undefined;
}

export type EntryBody = LastingEvent | DecisionEntry | InterruptedEntry | RootsEntry;

/** `at` is milliseconds since 1970. */
export type Entry = { readonly at: number } & (Header | EntryBody);
