// The seam to where tools act. Paths are absolute. Failures are thrown as `MachineError`: a sentence for the model. When
// the signal fires, its reason is thrown instead; only `run` then still answers.

/** `not-text`: there is a file, but its content is not UTF-8. */
export type MachineErrorCode =
  | "not-found"
  | "not-a-file"
  | "not-a-folder"
  | "not-text"
  | "denied"
  | "outside"
  | "too-large"
  | "failed";

export class MachineError extends Error {
  override readonly name = "MachineError";
  readonly code: MachineErrorCode;

  constructor(code: MachineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface FolderEntry {
  readonly name: string;
  /** Of a link: the type of what it leads to; "other" when that is nothing. */
  readonly type: "file" | "folder" | "other";
  /** Of files. */
  readonly bytes?: number | undefined;
  /** Where a symbolic link leads, as it is written. */
  readonly link?: string | undefined;
}

export interface FolderListing {
  /** Folders first, then by name; no more than were asked for. */
  readonly entries: readonly FolderEntry[];
  /** How many there are. */
  readonly total: number;
}

export interface ReadRange {
  /** 1-based. */
  readonly line?: number | undefined;
  readonly limit?: number | undefined;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command is ended after this long without output. */
  readonly inactivityMs: number;
  /** The command is ended after this long in any case. */
  readonly totalMs: number;
  /**
   * Hears output as it comes, stdout and stderr together, escape codes and all; what comes faster than a person can read
   * is bounded. At most 20 calls a second. Must not throw.
   */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** The command runs in a terminal of the client; its id, for showing it. */
  readonly onTerminal?: ((terminalId: string) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface CommandResult {
  /** Without escape codes. Head and tail where it was long, with a line in between that says what was left out. */
  readonly output: string;
  /** Where all of it can be read, when it was long. Removed by the owner of the machine. */
  readonly outputFile?: string | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly ended: "by-itself" | "inactive" | "too-long" | "aborted";
}

export interface Machine {
  /** UTF-8 text as it is: line endings and byte order mark kept. Lines end after "\n"; none past the end. */
  readText(path: string, range: ReadRange | undefined, signal: AbortSignal): Promise<string>;
  /** Nothing when the file is too long for that. */
  countLines(path: string, signal: AbortSignal): Promise<number | undefined>;
  /** Whole bytes, for images; refuses more than `maxBytes`. */
  readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
  /** Creates the file and its folders, replaces atomically, keeps the mode. Inside the roots only. */
  writeText(path: string, content: string, signal: AbortSignal): Promise<void>;
  listFolder(path: string, limit: number, signal: AbortSignal): Promise<FolderListing>;
  /** Nothing when there is nothing at that path. */
  stat(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly type: FolderEntry["type"]; readonly bytes: number } | undefined>;
  /** Throws `outside` unless the real path lies in the roots; answers the real path. */
  resolveInside(path: string, signal: AbortSignal): Promise<string>;
  /**
   * By bash where there is one, without input. The whole process group is gone when this settles, and when this process
   * dies, however it dies. When the signal fires, it settles within 100 ms with what there was. Throws only when the
   * command cannot be started.
   */
  run(command: string, options: CommandOptions): Promise<CommandResult>;
}
