// A shell command, parsed into every simple command it can run: through lists, pipes, substitutions, functions, wrappers
// and text given to other shells. Runs nothing, looks at nothing. What cannot be told is said to be opaque.

import { Findings } from "./findings.ts";
import { createScope } from "./scope.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { Walk } from "./walk.ts";

export interface ParsedCommand {
  readonly text: string;
  readonly commands: readonly SimpleCommand[];
  /** Names of functions it defines; their bodies are among the commands. */
  readonly functions: ReadonlySet<string>;
  /** Why it cannot be told what all would run; empty when it can. */
  readonly opaque: readonly string[];
  /** Some expansion may run what it expands. */
  readonly evaluates: boolean;
  readonly forkBomb: boolean;
  /** It is too long or too deep to be read to its end. */
  readonly excessive: boolean;
}

/** One call asks about its line several times: to decide, to describe, to remember. */
const KEPT = 8;
const MAX_KEPT_CHARS = 4_096;
const kept = new Map<string, ParsedCommand>();

/** `cwd` absolute. Never throws. */
export function parseCommand(text: string, cwd: string): ParsedCommand {
  if (text.length > MAX_KEPT_CHARS) return readCommand(text, cwd);
  const key = `${cwd.length} ${cwd}${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const parsed = readCommand(text, cwd);
  const [oldest] = kept.keys();
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, parsed);
  return parsed;
}

function readCommand(text: string, cwd: string): ParsedCommand {
  const findings = new Findings();
  new Walk(findings).readText(text, createScope(cwd));
  const { commands, functions, opaque, evaluates, forkBomb, excessive } = findings;
  return { text, commands, functions, opaque: [...opaque], evaluates, forkBomb, excessive };
}
