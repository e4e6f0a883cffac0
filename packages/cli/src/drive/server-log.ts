// What a driven agent writes to stderr, kept in a file without secrets. Never a reason to fail.

import { closeSync, constants, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redact } from "@agentao/agent/program";
import { makeRunFolder, runFolder } from "./server-state.ts";

/** A log that has grown to this is put aside, and a new one begins. */
const MAX_BYTES = 1024 * 1024;
/** Of a longer line only this much is kept. */
const MAX_LINE = 4 * 1024;

/** Follows no link: the folder may have come with a project, and what is in it point anywhere. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);

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
      makeRunFolder(cwd);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`);
      append(path, text);
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
      put(redact(lines.map(toLine).join("")));
    },
    end: () => {
      put(rest === "" ? "" : redact(toLine(rest)));
      rest = "";
    },
  };
}

function append(path: string, text: string): void {
  const file = openSync(path, APPEND, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

function toLine(line: string): string {
  const dropped = line.length - MAX_LINE;
  return `${line.slice(0, MAX_LINE)}${dropped > 0 ? `… (${dropped} characters more)` : ""}\n`;
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
