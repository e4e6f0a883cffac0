// Asks a person on a terminal, a line at a time. Secrets are not shown while they are typed.

import type { Io } from "./io.ts";
import { openLines } from "./typed-lines.ts";

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

const BACKSPACE = ["\u007f", "\b"];

type Terminal = Io["stdin"] & { setRawMode?(on: boolean): void };

export function openQuestions({ stdin, stderr, signal }: Pick<Io, "stdin" | "stderr" | "signal">): Questions {
  const terminal: Terminal = stdin;
  const lines = openLines(stdin, signal);
  return {
    async ask(question) {
      stderr.write(question);
      return lines.next();
    },
    async askSecret(question) {
      stderr.write(question);
      const isHidden = stdin.isTTY === true && terminal.setRawMode !== undefined;
      if (isHidden) terminal.setRawMode?.(true);
      try {
        return withoutCorrections(await lines.next());
      } finally {
        if (isHidden) terminal.setRawMode?.(false);
        stderr.write("\n");
      }
    },
    close: lines.close,
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
