// What a sandbox lets commands do, and what a session has of it. Types only.

export interface SandboxPolicy {
  /** Absolute. Everything else can only be read, and a folder for temporary files is lent. */
  readonly writable: readonly string[];
  /** Absolute. Can be read wherever they are, also in the system's own folder for temporary files. */
  readonly readable?: readonly string[] | undefined;
  readonly network: boolean;
  /** Absolute. Cannot even be read, beside the credentials in the home folder. */
  readonly hidden?: readonly string[] | undefined;
}

/** What a session has of it. */
export type SessionSandbox =
  /** `isAsked`: only the project wants it, so what runs in it is asked about as if it were not there. */
  | { readonly type: "active"; readonly policy: SandboxPolicy; readonly isAsked: boolean }
  /** It is wanted, and cannot be had. */
  | { readonly type: "unavailable"; readonly why: string };
