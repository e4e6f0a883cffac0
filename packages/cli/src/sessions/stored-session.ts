// A folder of stored sessions, for tests: written by the store itself, with times that do not pass.

import type { CallId, CallView, EntryBody, MessageId, SessionId, Store, TurnId } from "@agentao/agent";

export const BEGAN = Date.UTC(2024, 10, 1, 12, 0, 0);

export interface StoredSession {
  readonly id?: string;
  readonly cwd?: string;
  readonly at?: number;
  readonly entries: readonly EntryBody[];
  /** Leave it open, as another program would have it. */
  readonly open?: boolean;
}

type Opened = Extract<Awaited<ReturnType<Store["create"]>>, { type: "opened" }>;

/** Each entry is a second after the one before. */
export async function storeSession(store: Store, session: StoredSession): Promise<Opened> {
  const { id = "sess_aaaa1111", cwd = "/project", at = BEGAN, entries, open = false } = session;
  const opened = await store.create({ id: id as SessionId, cwd }, { at });
  if (opened.type !== "opened") throw new Error(opened.fault.message);
  for (const [index, entry] of entries.entries()) opened.journal.append(entry, at + (index + 1) * 1000);
  if (!open) opened.journal.close();
  return opened;
}

export function prompt(text: string, turnId = "turn_1"): EntryBody {
  const message = { role: "user", id: "msg_1" as MessageId, parts: [{ type: "text", text }] } as const;
  return { type: "prompt", turnId: turnId as TurnId, message };
}

export function said(text: string, messageId = "msg_2"): EntryBody {
  return { type: "text", messageId: messageId as MessageId, text };
}

export function called(title: string, view: Partial<CallView> = {}): EntryBody {
  const call: CallView = {
    callId: "call_1" as CallId,
    name: "run_shell_command",
    title,
    kind: "execute",
    locations: [],
    input: { command: title },
    content: [],
    ...view,
  };
  return { type: "call", messageId: "msg_2" as MessageId, call, rawInput: JSON.stringify(call.input) };
}

export function answered(text: string, failed = false): EntryBody {
  return { type: "call-ended", callId: "call_1" as CallId, failed, told: [{ type: "text", text }] };
}

function ended(turnId = "turn_1"): EntryBody {
  return { type: "turn-ended", turnId: turnId as TurnId, outcome: { type: "ended" } };
}

export function decided(more: Partial<Extract<EntryBody, { type: "decision" }>> = {}): EntryBody {
  return {
    type: "decision",
    callId: "call_1" as CallId,
    allowed: true,
    by: "rule",
    because: "tests may run",
    rule: "permissions.json#2",
    ...more,
  };
}

/** A whole turn with everything in it. */
export const wholeTurn: readonly EntryBody[] = [
  { type: "model", modelId: "openai/gpt-6.1-sol" },
  { type: "mode", modeId: "workspace-write" },
  prompt("Fix the <login> test\nplease"),
  { type: "reasoning", messageId: "msg_2" as MessageId, text: "I look first." },
  said("I will "),
  said("run it."),
  called("npm test"),
  decided(),
  { type: "call-running", callId: "call_1" as CallId },
  answered("1 failed\u001b[31m red\nAPI_KEY=abcdef123456"),
  said("Done:\n```sh\nnpm test && echo '<ok>'\n```\nBye.", "msg_3"),
  { type: "usage", usage: { usedTokens: 1200, windowTokens: 128_000, cost: 0.0421 } },
  ended(),
];
