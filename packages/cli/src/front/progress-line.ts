// One quiet line on stderr that says what goes on, rewritten in place. Where nobody looks, there is none.

import type { Io } from "../io/io.ts";
import { toLine } from "../text/plain.ts";

export interface ProgressState {
  /** Of the group of tool calls; 0 before the first. */
  readonly step: number;
  /** What runs; empty while the model is asked. */
  readonly title: string;
  readonly tokens: number;
}

export interface ProgressLine {
  /** What goes on now. Drawn at most every tenth of a second, and once a second for the clock. */
  show(state: ProgressState): void;
  /** Takes the line away, and keeps it away, so that something else can be written. */
  hold(): void;
  release(): void;
  close(): void;
}

const REDRAW_MS = 100;
const TICK_MS = 1_000;

/** Where nobody looks. */
export const noProgress: ProgressLine = { show: () => {}, hold: () => {}, release: () => {}, close: () => {} };

/** Whether a person watches: a terminal, and not one that only records. */
export function isWatched({ stderr, env }: Pick<Io, "stderr" | "env">): boolean {
  return stderr.isTTY === true && env.TERM !== "dumb" && !env.CI;
}

export function createProgressLine(io: Pick<Io, "stderr" | "env">, now: () => number = Date.now): ProgressLine {
  if (!isWatched(io)) return noProgress;
  const { stderr, env } = io;
  const hasColour = !env.NO_COLOR;
  const begun = now();
  let state: ProgressState | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  let isHeld = false;
  const draw = (): void => {
    if (state === undefined || isHeld) return;
    const columns = (stderr as { columns?: number }).columns || 80;
    const text = toText(state, now() - begun, columns - 1);
    stderr.write(`\r\x1b[K${hasColour ? `\x1b[2m${text}\x1b[22m` : text}`);
    drawnAt = now();
    isDrawn = true;
  };
  const clock = setInterval(draw, TICK_MS);
  clock.unref();
  const hold = (): void => {
    isHeld = true;
    if (isDrawn) stderr.write("\r\x1b[K");
    isDrawn = false;
  };
  return {
    show(next) {
      const isNew = state === undefined || next.title !== state.title || next.step !== state.step;
      state = next;
      if (isNew || now() - drawnAt >= REDRAW_MS) draw();
    },
    hold,
    release() {
      isHeld = false;
    },
    close() {
      clearInterval(clock);
      hold();
    },
  };
}

/** In at most so many columns: what runs gives way, the numbers around it stay as long as they fit. */
export function toText({ step, title, tokens }: ProgressState, elapsedMs: number, columns: number): string {
  const before = step === 0 ? "" : `step ${step} · `;
  const count = tokens === 0 ? "" : ` · ${toCount(tokens)} tokens`;
  const after = `${count} · ${Math.floor(elapsedMs / 1_000)} s`;
  const room = columns - before.length - after.length;
  const what = title === "" ? "thinking" : toLine(title, MAX_TITLE);
  return room < MIN_TITLE ? fit(before + what, columns) : `${before}${fit(what, room)}${after}`;
}

/** A title is cut to the line anyway. */
const MAX_TITLE = 500;
const MIN_TITLE = 8;

function toCount(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`;
}

function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let shown = "";
  let used = 1;
  for (const char of text) {
    used += columnsOf(char);
    if (used > columns) break;
    shown += char;
  }
  return `${shown}…`;
}

/** What terminals draw two columns wide: East Asian writing and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/gu;

function columnsOf(text: string): number {
  return Array.from(text).length + (text.match(WIDE)?.length ?? 0);
}
