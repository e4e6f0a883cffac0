// A stored session that is opened again: where it was, and what must be written before it goes on.

import type { EntryBody, Header } from "../journal/entry.ts";
import { History } from "../journal/fold.ts";
import type { Place } from "./runtime-options.ts";

/** Where the session was at its end, with what is wished beside. */
export function placeOf(header: Header, entries: readonly EntryBody[], wish: Omit<Place, "cwd"> = {}): Place {
  const { cwd, additionalRoots } = entries.findLast((entry) => entry.type === "roots") ?? header;
  return { cwd, additionalRoots: wish.additionalRoots ?? additionalRoots, servers: wish.servers };
}

/** What a process that died could not write any more, and where the session goes on now. */
export function whatIsMissing(header: Header, entries: readonly EntryBody[], place: Place): EntryBody[] {
  const history = new History();
  for (const entry of entries) history.add(entry);
  const missing: EntryBody[] = [];
  for (const { callId, running } of history.openTurn?.calls ?? []) {
    const told = running
      ? "The process was interrupted while this ran; it may or may not have had its effect. Check before doing it again."
      : "Not run: the turn was interrupted.";
    missing.push({ type: "call-ended", callId, failed: true, told: [{ type: "text", text: told }] });
  }
  if (history.openTurn !== undefined) missing.push({ type: "interrupted" });
  const at = placeOf(header, entries);
  const { cwd, additionalRoots = [] } = place;
  if (cwd !== at.cwd || additionalRoots.join("\n") !== (at.additionalRoots ?? []).join("\n")) {
    missing.push({ type: "roots", cwd, ...(additionalRoots.length > 0 && { additionalRoots }) });
  }
  return missing;
}
