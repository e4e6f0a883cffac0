// Finds a pattern in lines without ripgrep.

import { createContext, Script } from "node:vm";
import { MachineError, type TextQuery } from "./machine.ts";

/** Where the first match is in each line, or -1. */
export type Find = (lines: readonly string[]) => readonly number[];

/** Expressions that may take forever are stopped; those that cannot are not worth the watch. */
const RISKY = /[)*+}][*+{]|\)\?|\\[1-9k]|[*+].*[*+]/;
const LONG_CHARS = 10_000;
const MAX_MS = 1_000;

export function toFind({
  pattern,
  isRegex,
  isCaseSensitive,
}: Pick<TextQuery, "pattern" | "isRegex" | "isCaseSensitive">): Find {
  if (!isRegex && isCaseSensitive) return (lines) => lines.map((line) => line.indexOf(pattern));
  const expression = toExpression(isRegex ? pattern : escaped(pattern), isCaseSensitive);
  const find: Find = (lines) => lines.map((line) => line.search(expression));
  const isRisky = isRegex && RISKY.test(pattern);
  return (lines) => (isRisky || (isRegex && lines.some(isLong)) ? findWatched(lines, expression) : find(lines));
}

function toExpression(source: string, isCaseSensitive: boolean): RegExp {
  const flags = isCaseSensitive ? "" : "i";
  // Some other dialects set flags for the whole of it so.
  const inline = /^\(\?([is]+)\)/.exec(source);
  const [plain, all] =
    inline === null ? [source, flags] : [source.slice(inline[0].length), [...new Set(flags + inline[1])].join("")];
  try {
    return new RegExp(plain, `u${all}`);
  } catch {
    return withoutUnicode(plain, all);
  }
}

/** Less strict about what is escaped. */
function withoutUnicode(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^Invalid regular expression: /, "");
    throw new MachineError("failed", `The pattern is not a valid regular expression: ${reason}`, { cause });
  }
}

const script = new Script("lines.map((line) => line.search(expression))");

function findWatched(lines: readonly string[], expression: RegExp): readonly number[] {
  try {
    return script.runInContext(createContext({ lines, expression }), { timeout: MAX_MS });
  } catch (cause) {
    // An error of the other context is no `Error` of ours.
    if ((cause as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw cause;
    throw new MachineError("failed", "The regular expression takes too long. Use a simpler one", { cause });
  }
}

function isLong(line: string): boolean {
  return line.length > LONG_CHARS;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
