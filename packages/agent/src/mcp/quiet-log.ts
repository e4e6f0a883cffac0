// A log that a talkative server cannot flood: so many lines in a while, of bounded length, and a count of the rest.

import { borderBefore } from "../tool/cut.ts";

export const MAX_LINE_CHARS = 2_000;
export const MAX_LINES = 100;
const WHILE_MS = 10_000;

export interface QuietLog {
  say(line: string): void;
  /** Says how many lines were left out since it last said so. */
  end(): void;
}

export function createQuietLog(log: (line: string) => void, now: () => number = () => performance.now()): QuietLog {
  let since = Number.NEGATIVE_INFINITY;
  let said = 0;
  let leftOut = 0;

  const tellRest = (): void => {
    if (leftOut > 0) log(`(${leftOut.toLocaleString("en-US")} more lines left out)`);
    leftOut = 0;
  };

  return {
    say(line) {
      if (now() - since >= WHILE_MS) {
        tellRest();
        since = now();
        said = 0;
      }
      if (++said > MAX_LINES) leftOut++;
      else log(bounded(line));
    },
    end: tellRest,
  };
}

function bounded(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, borderBefore(line, MAX_LINE_CHARS))}…`;
}
