// A conversation in plain lines, as it grows: every word once, in the order in which it came.

import type { TranscriptItem } from "@agentao/acp";
import type { Conversation, Entry } from "./conversation.ts";
import { cleanLine, cleanText } from "./view/clean-text.ts";
import { contentText } from "./view/content.ts";

export class PlainPrinter {
  readonly #write: (text: string) => void;
  #entries: readonly Entry[] | undefined;
  #printed: string[] = [];
  #isFresh = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  show(conversation: Conversation): void {
    const { entries } = conversation;
    if (entries !== this.#entries) this.#printed = [];
    this.#entries = entries;
    // Only the end of a conversation changes.
    for (let at = Math.max(0, this.#printed.length - LOOK_BACK); at < entries.length; at++) {
      const entry = entries[at] as Entry;
      const text = entry.type === "note" ? noteText(entry) : itemText(conversation.item(entry.index), conversation.cwd);
      const before = this.#printed[at];
      this.#printed[at] = text;
      if (before === undefined) this.line(text, text.endsWith("\n"));
      else if (text !== before && text.startsWith(before)) this.#put(text.slice(before.length));
      else if (text !== before) this.line(text);
    }
  }

  /** On a line of its own. */
  line(text: string, isWhole = true): void {
    if (text === "") return;
    this.fresh();
    this.#put(isWhole && !text.endsWith("\n") ? `${text}\n` : text);
  }

  fresh(): void {
    if (!this.#isFresh) this.#put("\n");
  }

  #put(text: string): void {
    this.#write(text);
    this.#isFresh = text.endsWith("\n");
  }
}

const LOOK_BACK = 50;

function noteText({ note }: Extract<Entry, { type: "note" }>): string {
  if (note.type === "diff") return `${note.changes.map(({ path }) => path).join("\n")}\n`;
  return `${cleanText(note.text)}\n`;
}

function itemText(item: TranscriptItem | undefined, cwd: string): string {
  switch (item?.type) {
    case "message": {
      // What was typed stands there already.
      if (item.from === "user") return "";
      return item.from === "thought" ? "(thinking)\n" : cleanText(contentText(item.content, cwd));
    }
    case "tool-call":
      return `* ${cleanLine(item.title)}${item.status === "completed" ? " (done)" : item.status === "failed" ? " (failed)" : ""}\n`;
    case "notice":
      return `${item.severity === "info" ? "·" : `${item.severity}:`} ${cleanText(item.title)}\n`;
    case "compaction":
      return item.status === "completed" ? "(the conversation so far was summed up)\n" : "";
    default:
      return "";
  }
}
