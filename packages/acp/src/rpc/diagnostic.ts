// What a connection noticed and survived. Names of methods and fields only, never received values: they may be secrets.

export type Diagnostic =
  /** A line that is no frame; the peer was told. */
  | { readonly type: "garbage"; readonly message: string }
  /** JSON that is no request, notification or response. */
  | { readonly type: "invalid-frame"; readonly message: string }
  /** A notification whose params do not fit; it was dropped. A request's sender is told instead. */
  | { readonly type: "invalid-params"; readonly method: string; readonly message: string }
  | { readonly type: "unknown-notification"; readonly method: string; readonly message: string }
  /** A response nobody waits for: late, duplicate or misdirected. */
  | { readonly type: "unexpected-response"; readonly message: string }
  /** A handler of ours failed; for a request the peer was told. */
  | { readonly type: "handler-failed"; readonly method: string; readonly message: string; readonly cause: unknown }
  /** Handlers did not settle for long, and input went on without them. */
  | { readonly type: "handlers-stalled"; readonly message: string }
  /** An answer that could not be sent as it was. */
  | { readonly type: "response-replaced"; readonly method: string; readonly message: string };

export type OnDiagnostic = (diagnostic: Diagnostic) => void;
