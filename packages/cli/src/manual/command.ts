// What a command of the program is: what it says about itself, and how it is run. Adding one is a file in `command/` and a
// line in its `index.ts`.

import type { Io } from "../io/io.ts";

/** One option, for help and for completion. */
export interface Option {
  readonly name: `--${string}`;
  readonly short?: `-${string}` | undefined;
  /** What its value is called in help; nothing where it takes none. */
  readonly value?: string | undefined;
  /** The only values it takes. */
  readonly choices?: readonly string[] | undefined;
  /** Values that completion offers; others are taken too. */
  readonly suggestions?: readonly string[] | undefined;
  readonly summary: string;
}

/**
 * What stands behind the options: an id of a session or of a model, the name of an MCP server or of an agent in acp.json, a
 * file, or one of these words.
 */
export type Operand = "session" | "model" | "server" | "agent" | "file" | readonly string[];

export interface Subcommand {
  readonly name: string;
  /** What follows its name on the command line. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly Option[];
  readonly operand?: Operand | undefined;
  /** What may follow one of its words. */
  readonly operandAfter?: Readonly<Record<string, Operand>> | undefined;
}

export interface Command {
  /** What `agentao NAME --help` prints: usage, options, examples, exit codes. */
  readonly help: string;
  /** For completion, which reads them from `help` where they are not here. */
  readonly options?: readonly Option[] | undefined;
  readonly subcommands?: readonly Subcommand[] | undefined;
  readonly operand?: Operand | undefined;
  /** What `agentao help NAME SUBCOMMAND` prints, where that is more than the help of all. */
  helpOf?(subcommand: string): Promise<string | undefined>;
  /** Answers the exit code. Bad arguments are a `UsageError`. */
  run(args: readonly string[], io: Io): Promise<number>;
}

export interface CommandEntry {
  readonly summary: string;
  /** For completion: the only values of options that it reads from help. */
  readonly choices?: Readonly<Record<string, readonly string[]>> | undefined;
  load(): Promise<Command>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;
