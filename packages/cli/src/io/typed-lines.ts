// What a person types, a line at a time.

import type { Io } from "./io.ts";

export interface TypedLines {
  /** Nothing when the input has ended, or the person wants out. */
  next(): Promise<string | undefined>;
  /** Lets the program end. */
  close(): void;
}

const INTERRUPT = "\u0003";
const END = "\u0004";

export function openLines(stdin: Io["stdin"], signal: AbortSignal): TypedLines {
  let typed = "";
  let isOver = signal.aborted;
  let wake: (() => void) | undefined;
  const end = (): void => {
    isOver = true;
    wake?.();
  };
  const take = (chunk: Buffer | string): void => {
    typed += chunk.toString();
    wake?.();
  };
  stdin.on("data", take);
  stdin.on("end", end);
  signal.addEventListener("abort", end);
  return {
    async next() {
      for (;;) {
        const [whole, line] = /^(.*?)(?:\r\n|\r|\n)/s.exec(typed) ?? [];
        if (line !== undefined && !line.includes(INTERRUPT)) {
          typed = typed.slice(whole?.length);
          return line;
        }
        if (isOver || typed.includes(INTERRUPT) || typed.startsWith(END)) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      stdin.off("data", take);
      stdin.off("end", end);
      signal.removeEventListener("abort", end);
      stdin.pause();
    },
  };
}
