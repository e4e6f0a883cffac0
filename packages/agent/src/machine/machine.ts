// The seam to where tools act. Paths are absolute. Failures are thrown as `MachineError`: a sentence for the model. When
// the signal fires, its reason is thrown instead; only `run` then still answers.

import type { SandboxPolicy } from "./sandbox-policy.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** `not-text`: there is a file, but its content is not text in an encoding we know. */
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

/** What is in a folder and below it. */
export interface FolderTree {
  readonly listing: FolderListing;
  /** By name, of those that were entered. */
  readonly below: ReadonlyMap<string, FolderTree>;
  /** How many files, here and below, are not listed because ignore files leave them out. */
  readonly ignored: number;
}

export interface TreeLimits {
  readonly entries: number;
  readonly entriesEach: number;
  readonly depth: number;
}

export interface FileQuery {
  readonly folder: string;
  /** Of paths below the folder; where it begins with "/" or "..", of those it names. `**` is any number of folders. */
  readonly pattern: string;
  readonly limit: number;
}

export interface FoundFiles {
  /** Absolute. Those modified within a day first, newest first; then by path. No more than were asked for. */
  readonly paths: readonly string[];
  /** How many were found. */
  readonly total: number;
  /** Not everything was looked at. */
  readonly isPartial: boolean;
}

export interface TextQuery {
  /** Or a single file. */
  readonly folder: string;
  /** One line. */
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** Only in such files: a pattern of names, or with a slash of paths below the folder. */
  readonly filePattern?: string | undefined;
  readonly limit: number;
  readonly limitEach: number;
  /** Where programs are looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface TextMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line, or what is around the match where it is long. */
  readonly text: string;
}

export interface FoundText {
  /** File by file, in the order of `FoundFiles`. No more than were asked for. */
  readonly matches: readonly TextMatch[];
  /** How many lines were found, and in how many files. */
  readonly total: number;
  readonly files: number;
  /** Why not everything was looked at. */
  readonly ended: "by-itself" | "too-many" | "too-long";
}

export interface ReadRange {
  /** 1-based; a negative one counts from the end: -1 is the last line. */
  readonly line?: number | undefined;
  readonly limit?: number | undefined;
}

/** What a file looks like from its beginning. */
export interface FileLook {
  readonly bytes: number;
  /** Up to 1 KiB. */
  readonly head: Uint8Array;
  /** Nothing for what is not text. */
  readonly encoding?: TextEncoding | undefined;
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
  /** Hears, once the output is long, where all of it is being written. Must not throw. */
  readonly onOutputFile?: ((path: string) => void) | undefined;
  /** Hears the process and group id when the command has begun. Must not throw. */
  readonly onStart?: ((pid: number) => void) | undefined;
  /** From SIGTERM to SIGKILL when the signal fires; next to nothing, where nobody says so. */
  readonly graceMs?: number | undefined;
  /** It outlives the call that started it, so no terminal of the client shows it. */
  readonly isBackground?: boolean | undefined;
  /** Confined so, or not run at all. Signals are told as far as they can be told from exit codes above 128. */
  readonly sandbox?: SandboxPolicy | undefined;
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

export interface WebQuery {
  readonly url: string;
  /** HTML as Markdown; otherwise as it is. */
  readonly asMarkdown: boolean;
  /** Not public, but allowed: `10.0.0.0/8`, or single addresses. */
  readonly allowedRanges: readonly string[];
  /** The address of the proxy that leads there; nothing when the way is direct. */
  readonly proxyFor?: ((url: URL) => string | undefined) | undefined;
}

export interface WebPage {
  readonly type: "page";
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower case; empty where nothing was said. */
  readonly mimeType: string;
  /** That were read. */
  readonly bytes: number;
  /** Why it is not whole. */
  readonly lacks?: "too-large" | "broke-off" | undefined;
  readonly body: WebBody;
}

export type WebBody =
  | {
      readonly type: "text";
      readonly text: string;
      readonly title?: string | undefined;
      /** There is next to nothing to read before its scripts have run. */
      readonly needsScript?: boolean | undefined;
      /** It asks whether somebody is there. */
      readonly isChallenge?: boolean | undefined;
    }
  | { readonly type: "image"; readonly mimeType: string; readonly data: Uint8Array }
  | { readonly type: "binary" };

export type WebAnswer =
  | WebPage
  /** It redirects to another host, which was not asked. */
  | { readonly type: "elsewhere"; readonly url: string; readonly status: number };

export interface Machine {
  /**
   * Text as it is, out of whatever encoding: line endings and byte order mark kept. Lines end after "\n"; none past the
   * end. Where lines of a large file are is remembered, so that going on from there is cheap.
   */
  readText(path: string, range: ReadRange | undefined, signal: AbortSignal): Promise<string>;
  /** Nothing when the file is too long for that. */
  countLines(path: string, signal: AbortSignal): Promise<number | undefined>;
  /** Whole bytes, for images; refuses more than `maxBytes`. */
  readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
  look(path: string, signal: AbortSignal): Promise<FileLook>;
  /** Creates the file and its folders, replaces atomically, keeps mode, owner and encoding. Inside the roots only. */
  writeText(path: string, content: string, signal: AbortSignal): Promise<void>;
  listFolder(path: string, limit: number, signal: AbortSignal): Promise<FolderListing>;
  /** Level by level, near before deep. Vendor folders, ignored ones and links are named, but not entered. */
  listTree(path: string, limits: TreeLimits, signal: AbortSignal): Promise<FolderTree>;
  /** Without what ignore files and vendor folders leave out, unless the folder or the pattern names it. */
  findFiles(query: FileQuery, signal: AbortSignal): Promise<FoundFiles>;
  /** The same files, without binary ones. */
  searchText(query: TextQuery, signal: AbortSignal): Promise<FoundText>;
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
  /** Ends what commands left behind outside of their groups, as far as it can be found. Never rejects. */
  close?(): Promise<void>;
  /** By GET, from public addresses only; every address on the way is checked, and connected to as it was checked. */
  fetch(query: WebQuery, signal: AbortSignal): Promise<WebAnswer>;
}
