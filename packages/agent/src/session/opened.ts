// What opening a session gives: the session, and what happened in it before; or why there is none.

import type { Fault } from "../fault/fault.ts";
import type { EntryBody } from "../journal/entry.ts";
import type { Session } from "./session.ts";

export type Opened =
  | { readonly type: "opened"; readonly session: Session; replay(): AsyncIterable<readonly EntryBody[]> }
  | { readonly type: "missing" }
  /** It is open in this runtime already. */
  | { readonly type: "active" }
  /** The place cannot be worked in. */
  | { readonly type: "bad-place"; readonly problem: string }
  | { readonly type: "failed"; readonly fault: Fault };

const CHUNK = 256;

/** So many at a time that others have their turn in between. */
export async function* inChunks(entries: readonly EntryBody[]): AsyncGenerator<readonly EntryBody[]> {
  for (let at = 0; at < entries.length; at += CHUNK) {
    yield entries.slice(at, at + CHUNK);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
