// One row of a method table: what the connection needs to know about a method, and nothing about how it is carried out.

import type { Decoder } from "../decode/decode.ts";

/** Who handles a method. `both` is handled by the connection itself, `proxy` by a program between client and agent. */
export type Side = "agent" | "client" | "both" | "proxy";

/**
 * The capability without which a method must not be called: `path` leads into the capabilities that the agent or the
 * client told in `initialize`. It is there when the path ends in `true` or in an object; false, null and absent are no.
 */
export interface Gate {
  readonly of: "agent" | "client";
  readonly path: string;
}

export interface Method {
  /** The name on the wire. */
  readonly method: string;
  /** The name of the function that handles it. */
  readonly name: string;
  readonly side: Side;
  readonly kind: "request" | "notification";
  readonly params: Decoder<unknown>;
  /** Null for a notification, which has no result. */
  readonly result: Decoder<unknown> | null;
  readonly gate: Gate | null;
  readonly stability: "stable" | "unstable";
}
