// What happens in a session, as plain values. Events that last are journal entries too, so a replay tells the same
// story as the live turn did; the others exist only while somebody watches.

import type { Fault } from "../fault/fault.ts";
import type { CallId, MessageId, TurnId } from "../id/id.ts";
import type { ImagePart, TextPart, UserMessage } from "../message/message.ts";

export type CallKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other";

export interface Location {
  /** Absolute. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number | undefined;
}

/** `oldText` is null for a new file. */
export interface Diff {
  readonly type: "diff";
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

/** What a person sees of a call: text, images, diffs, or a terminal of the client. */
export type CallContent = TextPart | ImagePart | Diff | { readonly type: "terminal"; readonly terminalId: string };

/** A call as it is announced, before anybody was asked and anything was done. */
export interface CallView {
  readonly callId: CallId;
  readonly name: string;
  /** One line: "Read src/main.ts", "npm test". */
  readonly title: string;
  readonly kind: CallKind;
  readonly locations: readonly Location[];
  readonly input: unknown;
  /** What would happen, where that can be told: the diff of an edit. */
  readonly content: readonly CallContent[];
}

/** Who said no to a call, and why. */
export interface Denial {
  readonly by: "rule" | "grant" | "person";
  readonly because: string;
  readonly rule?: string | undefined;
}

export interface PlanEntry {
  readonly content: string;
  readonly priority: "high" | "medium" | "low";
  readonly status: "pending" | "in_progress" | "completed";
}

export interface UsageSnapshot {
  /** Tokens of the last request. */
  readonly usedTokens: number;
  readonly windowTokens: number;
  /** In US dollars, of the whole session, where prices are known. */
  readonly cost?: number | undefined;
}

export type TurnOutcome =
  | { readonly type: "ended" }
  | { readonly type: "cancelled" }
  | { readonly type: "refused" }
  /** The model ran out of output. */
  | { readonly type: "cut-short" }
  /** Too many steps. */
  | { readonly type: "exhausted" }
  | { readonly type: "failed"; readonly fault: Fault };

/** Events that are written down before they are told. */
export type LastingEvent =
  | { readonly type: "prompt"; readonly turnId: TurnId; readonly message: UserMessage }
  /** A piece of a message; pieces with one id are one message. */
  | { readonly type: "text"; readonly messageId: MessageId; readonly text: string }
  | { readonly type: "reasoning"; readonly messageId: MessageId; readonly text: string; readonly opaque?: unknown }
  | {
      readonly type: "call";
      readonly messageId: MessageId;
      readonly call: CallView;
      readonly rawInput: string;
      /** What the provider wants back with the call. */
      readonly opaque?: unknown;
    }
  /** What the model is told by us, not by the person: what day it is, that its answer broke off. Clients do not see it. */
  | {
      readonly type: "aside";
      readonly text: string;
      /** Not together with the prompt, which the model may have read already. */
      readonly apart?: boolean | undefined;
    }
  /** From here on the model is given only head and tail of what these calls answered. */
  | { readonly type: "trimmed"; readonly callIds: readonly CallId[] }
  /** From here on the model is given this text instead of everything through that message and its results. */
  | {
      readonly type: "summary";
      readonly compactionId: string;
      readonly text: string;
      readonly through: MessageId;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** From here on the call may have had its effect. */
  | { readonly type: "call-running"; readonly callId: CallId }
  | {
      readonly type: "call-ended";
      readonly callId: CallId;
      readonly failed: boolean;
      /** What the model is told. */
      readonly told: readonly (TextPart | ImagePart)[];
      /** What the person sees; nothing means: what the model is told. */
      readonly content?: readonly CallContent[] | undefined;
      readonly locations?: readonly Location[] | undefined;
      /** Where it was not run because somebody, or a rule, said no. */
      readonly denial?: Denial | undefined;
    }
  | { readonly type: "plan"; readonly entries: readonly PlanEntry[] }
  | { readonly type: "mode"; readonly modeId: string }
  | { readonly type: "model"; readonly modelId: string }
  | { readonly type: "thought-level"; readonly level: string }
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "usage"; readonly usage: UsageSnapshot }
  | { readonly type: "turn-ended"; readonly turnId: TurnId; readonly outcome: TurnOutcome };

/** Events nobody misses afterwards. */
export type PassingEvent =
  | { readonly type: "text-delta"; readonly messageId: MessageId; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly messageId: MessageId; readonly text: string }
  /** A summary is being written; it ends as a `summary`, or as a failure that changed nothing. */
  | { readonly type: "compacting"; readonly compactionId: string }
  | { readonly type: "compaction-failed"; readonly compactionId: string; readonly message: string }
  /** All output so far, bounded; each replaces the one before. */
  | { readonly type: "call-output"; readonly callId: CallId; readonly content: readonly CallContent[] }
  | { readonly type: "notice"; readonly severity: "info" | "warning" | "error"; readonly message: string };

export type SessionEvent = LastingEvent | PassingEvent;

/** Must not throw. May return a promise when the listener wants the session to slow down. */
export type OnEvent = (event: SessionEvent) => Promise<void> | undefined;
