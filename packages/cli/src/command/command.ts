// What a command of the program is. Adding one is a file here and a line in `index.ts`.

import type { Readable, Writable } from "node:stream";

/** The world a command runs in, so that tests can be one. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Fires when the person wants it to end: Ctrl-C, SIGTERM. */
  readonly signal: AbortSignal;
}

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

/** What is wrong with the command line. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Whether the hint where help is comes with it. Not where help would not help: there is no such folder or session. */
  readonly isInHelp: boolean;

  constructor(message: string, { isInHelp = true }: { readonly isInHelp?: boolean } = {}) {
    super(message);
    this.isInHelp = isInHelp;
  }
}
