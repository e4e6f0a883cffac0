// A command as it is started inside of a sandbox. Types only.

/** What a command becomes: words before it, and what it sees of the environment. */
export interface Confined {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words name a descriptor on which the sandbox tells who runs inside, and signals arrive as exit codes. */
  readonly isNested: boolean;
  /** Asked when the command is gone: what it left that would run code outside, in sentences. Never rejects. */
  readonly planted?: (() => Promise<readonly string[]>) | undefined;
}
