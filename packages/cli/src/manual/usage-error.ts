// What is wrong with the command line.

/** Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Whether the hint where help is comes with it. Not where help would not help: there is no such folder or session. */
  readonly isInHelp: boolean;

  constructor(message: string, { isInHelp = true }: { readonly isInHelp?: boolean } = {}) {
    super(message);
    this.isInHelp = isInHelp;
  }
}
