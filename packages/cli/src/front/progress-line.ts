// One quiet line on stderr that says what goes on, rewritten in place. Where nobody looks, there is none.

import type { Io } from "../command/command.ts";

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

const noProgress: ProgressLine = { show: () => {}, hold: () => {}, release: () => {}, close: () => {} };

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
    const text = fit(toText(state, now() - begun), columns - 1);
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

export function toText({ step, title, tokens }: ProgressState, elapsedMs: number): string {
  const parts = [
    step === 0 ? "" : `step ${step}`,
    title === "" ? "thinking" : title,
    tokens === 0 ? "" : `${toCount(tokens)} tokens`,
    `${Math.floor(elapsedMs / 1_000)} s`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function toCount(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`;
}

/** On one line, and without what a terminal would obey. */
function fit(text: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not reach the terminal.
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
  return plain.length <= columns ? plain : `${plain.slice(0, Math.max(0, columns - 1))}…`;
}
