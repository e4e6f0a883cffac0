// What a session has to show, in order: the items of its transcript, with the time they took, and what this program said
// in between. Updates are folded when somebody looks.

import {
  emptyTranscript,
  foldTranscript,
  type SessionConfigOption,
  type SessionUpdate,
  type Transcript,
  type TranscriptItem,
} from "@agentao/acp";
import { Stopwatch } from "./stopwatch.ts";
import type { FileDiff } from "./view/diff.ts";
import type { Severity } from "./view/notice.ts";
import type { Span } from "./view/room.ts";

/** What this program has to say itself: a sentence, a text in Markdown, what was changed. */
export type Note =
  | { readonly type: "note"; readonly severity: Severity; readonly text: string }
  | { readonly type: "rich"; readonly text: string }
  | { readonly type: "diff"; readonly changes: readonly FileDiff[] };

/** What stands in one place of the screen: an item of the transcript by its number, or a note. */
export type Entry = { readonly type: "item"; readonly index: number } | { readonly type: "note"; note: Note };

/** So many updates wait at most for somebody to look. */
const MAX_UNFOLDED = 4096;

export class Timeline {
  readonly #stopwatch: Stopwatch;
  readonly #entries: Entry[] = [];
  #transcript: Transcript = emptyTranscript;
  #unfolded: SessionUpdate[] = [];
  #itemCount = 0;
  #modeBeforePlan: string | undefined;
  /** Whether what appears now happens now; what is replayed has no time. */
  #isLive = false;

  constructor(now: () => number) {
    this.#stopwatch = new Stopwatch(now);
  }

  get transcript(): Transcript {
    this.#fold();
    return this.#transcript;
  }

  get entries(): readonly Entry[] {
    this.#fold();
    return this.#entries;
  }

  /** The mode that plan mode was entered from, by whatever way; nothing where that was before we looked. */
  get modeBeforePlan(): string | undefined {
    this.#fold();
    return this.#modeBeforePlan;
  }

  item(index: number): TranscriptItem | undefined {
    return this.#transcript.items[index];
  }

  /** The same value until it changes, so that lines can be kept. */
  span(index: number): Span {
    return this.#stopwatch.span(index);
  }

  hear(update: SessionUpdate): void {
    this.#unfolded.push(update);
    if (this.#unfolded.length >= MAX_UNFOLDED) this.#fold();
  }

  add(note: Note): Extract<Entry, { type: "note" }> {
    this.#fold();
    const entry = { type: "note" as const, note };
    this.#entries.push(entry);
    return entry;
  }

  /** A turn begins: what appears from now on is timed. */
  begin(): void {
    this.#fold();
    this.#isLive = true;
  }

  /** The turn is over, and whatever ran in it. */
  end(): void {
    this.#fold();
    this.#isLive = false;
    this.#stopwatch.endAll();
  }

  /** Nobody will tell any more how they ended. */
  failOpenCalls(): void {
    for (const item of this.transcript.items) {
      if (item.type !== "tool-call" || item.status === "completed" || item.status === "failed") continue;
      this.#unfolded.push({ sessionUpdate: "tool_call_update", toolCallId: item.toolCallId, status: "failed" });
    }
  }

  seeMode(modeId: string | undefined): void {
    if (modeId !== undefined && modeId !== "plan") this.#modeBeforePlan = modeId;
  }

  #fold(): void {
    if (this.#unfolded.length === 0) return;
    const updates = this.#unfolded;
    this.#unfolded = [];
    for (const update of updates) {
      if (update.sessionUpdate === "current_mode_update") this.seeMode(update.currentModeId);
      if (update.sessionUpdate === "config_option_update") this.seeMode(modeIn(update.configOptions));
    }
    this.#transcript = foldTranscript(this.#transcript, updates);
    const { items } = this.#transcript;
    for (; this.#itemCount < items.length; this.#itemCount++) {
      this.#entries.push({ type: "item", index: this.#itemCount });
      if (this.#isLive) this.#stopwatch.start(this.#itemCount, items[this.#itemCount]);
    }
    this.#stopwatch.look(items);
  }
}

export function modeIn(options: readonly SessionConfigOption[]): string | undefined {
  const option = options.find(({ category, id }) => category === "mode" || id === "mode");
  return option?.type === "select" ? option.currentValue : undefined;
}
