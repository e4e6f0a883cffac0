// The conversation as lines. Keeps the lines of every entry until it changes, and shows a bounded number of them: what
// is older is in the terminal's own scrollback until the next full repaint, and in the session for ever.

import type { Conversation, Entry, Note } from "../conversation.ts";
import { isApart, itemView } from "../view/item.ts";
import { fit } from "../view/lines.ts";
import { noticeView } from "../view/notice.ts";
import type { Span, ViewRoom } from "../view/room.ts";
import { toolContentView } from "../view/tool-call.ts";

/** Above so many lines, the oldest entries are let go of until `KEPT_LINES` remain. */
const MOST_LINES = 3_000;
const KEPT_LINES = 1_000;

interface Kept {
  readonly source: unknown;
  readonly span: Span;
  readonly lines: readonly string[];
}

export class HistoryView {
  #kept = new Map<Entry, Kept>();
  #from = 0;
  #roomKey = "";
  #entries: readonly Entry[] | undefined;

  lines(conversation: Conversation, room: ViewRoom): string[] {
    const { entries } = conversation;
    const roomKey = `${room.width} ${room.opens.thoughts} ${room.opens.calls}`;
    if (entries !== this.#entries || roomKey !== this.#roomKey) {
      this.#entries = entries;
      this.#roomKey = roomKey;
      this.#kept.clear();
      this.#from = this.#startFor(conversation, room);
    }
    let blocks = this.#render(conversation, room);
    if (countLines(blocks) > MOST_LINES) {
      this.#from = this.#startFor(conversation, room);
      this.#forget(entries);
      blocks = this.#render(conversation, room);
    }
    const earlier = this.#from === 0 ? [] : [earlierLine(this.#from, room), ""];
    return earlier.concat(...blocks);
  }

  /** The lines of entries that are no longer shown. */
  #forget(entries: readonly Entry[]): void {
    const shown = new Set(entries.slice(this.#from));
    for (const entry of this.#kept.keys()) if (!shown.has(entry)) this.#kept.delete(entry);
  }

  #render(conversation: Conversation, room: ViewRoom): (readonly string[])[] {
    const { entries } = conversation;
    const blocks: (readonly string[])[] = [];
    let before: Parameters<typeof isApart>[0] | undefined;
    for (let at = this.#from; at < entries.length; at++) {
      const entry = entries[at] as Entry;
      const lines = this.#linesOf(entry, conversation, room);
      if (lines.length === 0) continue;
      const type = entry.type === "note" ? "note" : (conversation.item(entry.index)?.type ?? "note");
      if (before !== undefined && isApart(before, type)) blocks.push(BLANK);
      before = type;
      blocks.push(lines);
    }
    return blocks;
  }

  /** Backwards from the end, until there is enough. */
  #startFor(conversation: Conversation, room: ViewRoom): number {
    const { entries } = conversation;
    let count = 0;
    for (let at = entries.length - 1; at >= 0; at--) {
      count += this.#linesOf(entries[at] as Entry, conversation, room).length + 1;
      if (count > KEPT_LINES) return at;
    }
    return 0;
  }

  #linesOf(entry: Entry, conversation: Conversation, room: ViewRoom): readonly string[] {
    const source = entry.type === "note" ? entry.note : conversation.item(entry.index);
    const span = entry.type === "note" ? undefined : conversation.span(entry.index);
    const kept = this.#kept.get(entry);
    if (kept !== undefined && kept.source === source && kept.span === span) return kept.lines;
    const lines = entryView(entry, conversation, span, room);
    this.#kept.set(entry, { source, span, lines });
    return lines;
  }
}

const BLANK: readonly string[] = [""];

function entryView(entry: Entry, conversation: Conversation, span: Span, room: ViewRoom): string[] {
  if (entry.type === "note") return noteView(entry.note, room);
  const item = conversation.item(entry.index);
  return item === undefined ? [] : itemView(item, span, room);
}

function noteView(note: Note, room: ViewRoom): string[] {
  switch (note.type) {
    case "note":
      return noticeView(note.severity, note.text, room);
    case "rich":
      return room.markdown(note.text, room.width);
    case "diff":
      return toolContentView(
        note.changes.map((change) => ({ type: "diff", ...change })),
        room,
      );
  }
}

function earlierLine(count: number, { width, paint }: ViewRoom): string {
  return fit(paint.quiet(`… ${count} earlier items are not shown; /export writes them all`), width);
}

function countLines(blocks: readonly (readonly string[])[]): number {
  let count = 0;
  for (const block of blocks) count += block.length;
  return count;
}
