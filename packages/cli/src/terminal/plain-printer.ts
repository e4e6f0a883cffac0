// A conversation in plain lines, as it grows: every word once, in the order in which it came.

import type { PlanEntry, ToolCallItem, TranscriptItem } from "@agentao/acp";
import { cleanLine, cleanText } from "../text/plain.ts";
import type { Conversation, Entry } from "./conversation.ts";
import { contentText } from "./view/content.ts";
import { createPaint } from "./view/paint.ts";
import { planView } from "./view/plan.ts";
import { refusalWords } from "./view/refusal.ts";
import { shortPaths } from "./view/room.ts";
import { isShownAsPlan } from "./view/tool-call.ts";

export class PlainPrinter {
  readonly #write: (text: string) => void;
  #entries: readonly Entry[] | undefined;
  #printed: string[] = [];
  #plan: readonly PlanEntry[] | undefined;
  #isFresh = true;
  /** What waits for a line to be typed behind it. */
  #prompt: string | undefined;
  #isPromptShown = false;

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
      if (before === undefined) this.#putLine(text, text.endsWith("\n"));
      else if (text !== before && text.startsWith(before)) this.#put(text.slice(before.length));
      else if (text !== before) this.#putLine(text);
    }
    this.#showPlan(conversation.transcript.plan);
    this.#showPrompt();
  }

  /** On a line of its own. */
  line(text: string): void {
    this.#putLine(text);
    this.#showPrompt();
  }

  /** Words for a line to be typed behind. Whatever is printed meanwhile stands above them. */
  prompt(words: string): void {
    this.endPrompt();
    this.#prompt = words;
    this.#showPrompt();
  }

  /** A line was typed, which has ended the one that it stands on. */
  typed(): void {
    this.#prompt = undefined;
    this.#isPromptShown = false;
    this.#isFresh = true;
  }

  /** Nobody waits for a line any more. */
  endPrompt(): void {
    this.#liftPrompt();
    this.#prompt = undefined;
  }

  #putLine(text: string, isWhole = true): void {
    if (text === "") return;
    if (!this.#isFresh) this.#put("\n");
    this.#put(isWhole && !text.endsWith("\n") ? `${text}\n` : text);
  }

  #put(text: string): void {
    this.#liftPrompt();
    this.#write(text);
    this.#isFresh = text.endsWith("\n");
  }

  #showPlan(plan: readonly PlanEntry[]): void {
    if (plan === this.#plan) return;
    this.#plan = plan;
    this.#putLine(planView(plan, { width: Number.MAX_SAFE_INTEGER, paint: createPaint(false) }).join("\n"));
  }

  #showPrompt(): void {
    if (this.#prompt === undefined || this.#isPromptShown) return;
    this.#write(this.#isFresh ? this.#prompt : `\n${this.#prompt}`);
    this.#isFresh = true;
    this.#isPromptShown = true;
  }

  /** What follows begins on a line of its own. */
  #liftPrompt(): void {
    if (this.#isPromptShown) this.#write("\n");
    this.#isPromptShown = false;
  }
}

const LOOK_BACK = 50;

function noteText({ note }: Extract<Entry, { type: "note" }>): string {
  if (note.type === "diff") return `${note.changes.map(({ path }) => path).join("\n")}\n`;
  const isError = note.type === "note" && note.severity === "error";
  return `${isError ? "error: " : ""}${cleanText(note.text)}\n`;
}

function itemText(item: TranscriptItem | undefined, cwd: string): string {
  switch (item?.type) {
    case "message": {
      // What was typed stands there already.
      if (item.from === "user") return "";
      return item.from === "thought" ? "(thinking)\n" : cleanText(contentText(item.content, cwd));
    }
    case "tool-call":
      if (isShownAsPlan(item)) return "";
      return `* ${shortPaths(cleanLine(item.title), cwd)}${stateWords(item)}\n`;
    case "notice":
      return `${item.severity === "info" ? "·" : `${item.severity}:`} ${cleanText(item.title)}\n`;
    case "compaction":
      return item.status === "completed" ? "(the conversation so far was summed up)\n" : "";
    default:
      return "";
  }
}

function stateWords(item: ToolCallItem): string {
  if (item.status === "completed") return " (done)";
  return item.status === "failed" ? ` (${refusalWords(item) ?? "failed"})` : "";
}
