// What the gate is asked about: one call, described by what it would do rather than by its name alone.

import type { CallContent, CallKind, Location } from "../event/event.ts";
import type { CallId } from "../id/id.ts";

export type Effect =
  /** Looks, and changes nothing. */
  | { readonly type: "read"; readonly paths: readonly string[] }
  | { readonly type: "write"; readonly paths: readonly string[] }
  | { readonly type: "command"; readonly command: string; readonly cwd: string }
  | { readonly type: "fetch"; readonly url: string }
  /** Changes only the session itself: plan, question to the person. */
  | { readonly type: "session" }
  /** Unknown: an extension or MCP tool. `readOnly` only where somebody trusted says so. */
  | { readonly type: "other"; readonly readOnly: boolean };

export interface PermissionRequest {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
  readonly title: string;
  readonly kind: CallKind;
  readonly locations: readonly Location[];
  readonly content: readonly CallContent[];
}

export type Verdict =
  | { readonly type: "allowed"; readonly by: "rule" | "grant" | "person"; readonly because: string }
  | { readonly type: "denied"; readonly by: "rule" | "grant" | "person"; readonly because: string };
