// What the local machine is made from.

export interface LocalMachineOptions {
  /** Absolute folders that may be written, with all that is in them. */
  readonly roots: readonly string[];
  /** Where long outputs go, and pipes for a moment. Made when it is first needed; whoever names it removes it. */
  readonly spillFolder: string;
  /** A POSIX shell; bash or sh where none is named. */
  readonly shell?: string | undefined;
  /** Whose credentials no search finds that starts above them; of the person, where none is named. */
  readonly home?: string | undefined;
  /** "none" searches without it. */
  readonly ripgrep?: "none" | undefined;
}
