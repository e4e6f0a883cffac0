// What the gate is asked about: one call, described by what it would do rather than by its name alone.

import type { CallContent, CallKind, Location } from "../event/event.ts";
import type { CallId } from "../id/id.ts";

export type Effect =
  /** Looks, and changes nothing. */
  | { readonly type: "read"; readonly paths: readonly string[] }
  | { readonly type: "write"; readonly paths: readonly string[] }
  | CommandEffect
  /** `configured`: the person's own settings lead there, so that a place near by is no surprise. */
  | { readonly type: "fetch"; readonly url: string; readonly configured?: boolean | undefined }
  /** Changes only the session itself: plan, question to the person. */
  | { readonly type: "session" }
  /** Unknown: an extension or MCP tool. `readOnly` only where somebody trusted says so. */
  | { readonly type: "other"; readonly readOnly: boolean };

export interface CommandEffect {
  readonly type: "command";
  readonly command: string;
  readonly cwd: string;
  /** True: it can write only what the session may write. False: it would leave a sandbox that is there. */
  readonly sandboxed?: boolean | undefined;
  /** Why it would leave the sandbox, in the words of the model. */
  readonly reason?: string | undefined;
}

export interface PermissionRequest {
  readonly callId: CallId;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The same by the names the tool has for it: rules speak of those, whatever the model wrote. */
  readonly parsed?: object | undefined;
  readonly effect: Effect;
  readonly title: string;
  readonly kind: CallKind;
  readonly locations: readonly Location[];
  readonly content: readonly CallContent[];
}

export interface Verdict {
  readonly type: "allowed" | "denied";
  readonly by: "rule" | "grant" | "person";
  /** For people: "the person rejected it". */
  readonly because: string;
  /** What the model is told where it was denied. */
  readonly told?: string | undefined;
  readonly tool?: string | undefined;
  /** What was asked for, bounded and without secrets, for the record. */
  readonly request?: string | undefined;
  /** The rule that decided, or the one that made the gate ask the person. */
  readonly rule?: string | undefined;
  /** The option the person chose; nothing where nobody was asked or nobody answered. */
  readonly answer?: string | undefined;
}
