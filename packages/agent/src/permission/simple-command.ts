// One program with its arguments, as a command line would run it.

import { type Field, textOf } from "./field.ts";
import type { Flow } from "./flow.ts";
import type { Assigned } from "./scope.ts";

export interface Redirect {
  readonly operator: string;
  readonly target: Field;
}

export interface SimpleCommand {
  /** The program and its arguments, wrappers taken off. Empty for assignments and redirections that stand alone. */
  readonly argv: readonly Field[];
  /** What it is run through, outermost first: `sudo`, `bash`, `xargs`. `?` where that was not fully understood. */
  readonly via: readonly string[];
  readonly assignments: readonly Assigned[];
  readonly redirects: readonly Redirect[];
  /** What it can read from its input. */
  readonly input: Flow;
  /** Where it runs, as a shape; nothing when an earlier `cd` does not tell. */
  readonly cwd: string | undefined;
  /** It does nothing but run others that are listed, too. */
  readonly carrier: boolean;
  /** It runs code that is not a command line: a script, `python -c`. */
  readonly code: boolean;
}

/** The name of the program without its folder, in lower case; nothing when it is not known. */
export function programOf(command: SimpleCommand): string | undefined {
  const name = textOf(command.argv[0]);
  return name === undefined ? undefined : baseName(name);
}

export function baseName(name: string): string {
  return (name.split(/[/\\]/).at(-1) ?? name).toLowerCase().replace(/\.exe$/, "");
}
