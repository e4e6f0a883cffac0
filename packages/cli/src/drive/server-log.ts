// What a driven agent writes to stderr, kept in a file without secrets. Never a reason to fail.

import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../redact.ts";
import { runFolder } from "./server-state.ts";

/** A log that has grown to this is put aside, and a new one begins. */
const MAX_BYTES = 1024 * 1024;
/** Longer lines are looked at for secrets in pieces. */
const MAX_LINE = 4 * 1024;

export function logPath(cwd: string, name: string): string {
  return join(runFolder(cwd), `${name}.log`);
}

/** Takes text as it comes, and writes whole lines. */
export function openServerLog(cwd: string, name: string): { write(text: string): void; end(): void } {
  const path = logPath(cwd, name);
  let rest = "";
  const put = (text: string): void => {
    if (text === "") return;
    try {
      mkdirSync(runFolder(cwd), { recursive: true, mode: 0o700 });
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
      appendFileSync(path, text, { mode: 0o600 });
    } catch {
      // A log that cannot be written is no reason to stop working.
    }
  };
  return {
    write: (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE) {
        lines.push(rest);
        rest = "";
      }
      put(lines.map((line) => `${redact(line.slice(0, MAX_LINE))}\n`).join(""));
    },
    end: () => {
      put(rest === "" ? "" : `${redact(rest)}\n`);
      rest = "";
    },
  };
}

/** The last lines; none where there is no log. */
export function lastLines(cwd: string, name: string, count: number): readonly string[] {
  const read = (path: string): string[] => {
    try {
      return readFileSync(path, "utf8").split("\n").slice(0, -1);
    } catch {
      return [];
    }
  };
  const path = logPath(cwd, name);
  const now = read(path);
  return (now.length >= count ? now : [...read(`${path}.1`), ...now]).slice(-count);
}
