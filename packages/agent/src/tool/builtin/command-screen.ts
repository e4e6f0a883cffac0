// What the person sees of a command while it runs: the terminal of the client where there is one, else the end of the
// output. Each look replaces the one before and is sent whole, so a flood gets few of them, and a long run short ones.

import type { CallContent } from "../../event/event.ts";
import { cleanText } from "../../machine/terminal-text.ts";
import { text } from "../../message/message.ts";
import { borderAfter, jsonBytes } from "../cut.ts";
import { fenced } from "../outcome.ts";
import type { ToolRoom } from "../tool.ts";

export interface CommandScreen {
  terminal(terminalId: string): void;
  write(piece: string): void;
  /** Nothing is shown from now on. Answers the terminal, where one is shown. */
  end(): CallContent | undefined;
}

/** What may be sent at once; together with the result it is less than twice what a result may have. */
const BURST_BYTES = 20 * 1024;
const BYTES_PER_SECOND = 1024;
/** What a look costs beside its text. */
const FRAME_BYTES = 200;
const LONG_CHARS = 4_000;
const SHORT_CHARS = 800;

export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Answers how to call it off. */
  later(act: () => void, ms: number): () => void;
}

const REAL: Clock = {
  now: () => performance.now(),
  later(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

export function createScreen(room: Pick<ToolRoom, "show">, clock = REAL): CommandScreen {
  let shown: CallContent | undefined;
  let isOver = false;
  let output = "";
  let budget = BURST_BYTES;
  let filledAt = clock.now();
  let callOff: (() => void) | undefined;

  const look = (): void => {
    callOff = undefined;
    const at = clock.now();
    budget = Math.min(BURST_BYTES, budget + ((at - filledAt) / 1000) * BYTES_PER_SECOND);
    filledAt = at;
    const content = text(fenced(cleanText(tail(output, budget > BURST_BYTES / 2 ? LONG_CHARS : SHORT_CHARS))));
    const missing = jsonBytes(content.text) + FRAME_BYTES - budget;
    if (missing > 0) {
      callOff = clock.later(look, Math.ceil((missing / BYTES_PER_SECOND) * 1000));
      return;
    }
    budget = -missing;
    room.show([content]);
  };

  return {
    terminal(terminalId) {
      shown = { type: "terminal", terminalId };
      room.show([shown]);
    },
    write(piece) {
      if (shown !== undefined || isOver) return;
      output = tail(output + piece, 2 * LONG_CHARS);
      if (callOff === undefined) look();
    },
    end() {
      isOver = true;
      callOff?.();
      return shown;
    },
  };
}

function tail(output: string, maxChars: number): string {
  return output.length <= maxChars ? output : output.slice(borderAfter(output, output.length - maxChars));
}
