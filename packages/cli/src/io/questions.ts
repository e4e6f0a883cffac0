// Asks a person on a terminal, a line at a time. Secrets are not shown while they are typed.

import type { Io } from "./io.ts";

export interface Questions {
  /** Nothing when the input has ended, or the person wants out. */
  ask(question: string): Promise<string | undefined>;
  askSecret(question: string): Promise<string | undefined>;
  /** Lets the program end. */
  close(): void;
}

/** Yes, and nothing else, is yes. */
export async function isYes(questions: Questions, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await questions.ask(`${question} [y/N] `))?.trim() ?? "");
}

const INTERRUPT = "\u0003";
const END = "\u0004";
const BACKSPACE = ["\u007f", "\b"];

type Terminal = Io["stdin"] & { setRawMode?(on: boolean): void };

export function openQuestions({ stdin, stderr, signal }: Pick<Io, "stdin" | "stderr" | "signal">): Questions {
  const terminal: Terminal = stdin;
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

  const nextLine = async (): Promise<string | undefined> => {
    for (;;) {
      const [whole, line] = /^(.*?)(?:\r\n|\r|\n)/s.exec(typed) ?? [];
      const isWanted = line !== undefined && !line.includes(INTERRUPT);
      if (isWanted) {
        typed = typed.slice(whole?.length);
        return line;
      }
      if (isOver || typed.includes(INTERRUPT) || typed.startsWith(END)) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    async ask(question) {
      stderr.write(question);
      return nextLine();
    },
    async askSecret(question) {
      stderr.write(question);
      const isHidden = stdin.isTTY === true && terminal.setRawMode !== undefined;
      if (isHidden) terminal.setRawMode?.(true);
      try {
        return withoutCorrections(await nextLine());
      } finally {
        if (isHidden) terminal.setRawMode?.(false);
        stderr.write("\n");
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

/** In raw mode the keys that correct come as they are. */
function withoutCorrections(line: string | undefined): string | undefined {
  if (line === undefined) return undefined;
  const kept: string[] = [];
  for (const character of line) {
    if (BACKSPACE.includes(character)) kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
