// What happened in a turn, without what was said: which kinds of updates there were, and how many.

import { isFields } from "../json/fields.ts";
import type { Step } from "./steps.ts";

export interface TurnOutline {
  readonly kinds: Set<string>;
  text: string;
  count: number;
}

export function emptyOutline(): TurnOutline {
  return { kinds: new Set(), text: "", count: 0 };
}

export function addUpdate(turn: TurnOutline, update: unknown): void {
  if (!isFields(update) || typeof update.sessionUpdate !== "string") return;
  turn.count++;
  turn.kinds.add(update.sessionUpdate);
  if (update.sessionUpdate !== "agent_message_chunk" || !isFields(update.content)) return;
  if (typeof update.content.text === "string") turn.text += update.content.text;
}

/** The updates of a session since its last prompt, up to a step. */
export function outlineTurn(steps: readonly Step[], upTo: number, sessionId: unknown): TurnOutline {
  let turn = emptyOutline();
  for (const { said } of steps.slice(0, upTo)) {
    if (!("params" in said) || !isFields(said.params) || said.params.sessionId !== sessionId) continue;
    if (said.method === "session/prompt") turn = emptyOutline();
    if (said.method === "session/update") addUpdate(turn, said.params.update);
  }
  return turn;
}

/** The updates of a session that belong to none of its prompts. */
export function countBetweenTurns(steps: readonly Step[], sessionId: string): number {
  let [count, isTurn] = [0, false];
  for (const step of steps) {
    const { said } = step.question ?? step;
    if (!("params" in said) || !isFields(said.params) || said.params.sessionId !== sessionId) continue;
    if (said.method === "session/prompt") isTurn = step.question === undefined;
    if (said.method === "session/update" && !isTurn) count++;
  }
  return count;
}

/** In sentences, one for each difference. */
export function compareTurns(
  before: TurnOutline,
  now: TurnOutline,
  { compareText }: { readonly compareText?: boolean | undefined },
): string[] {
  const gone = [...before.kinds].filter((kind) => !now.kinds.has(kind));
  const added = [...now.kinds].filter((kind) => !before.kinds.has(kind));
  const isOther = compareText && before.text !== now.text;
  return [
    ...gone.map((kind) => `the turn had ${kind}, and has none now`),
    ...added.map((kind) => `the turn has ${kind}, and had none before`),
    ...(isOther ? [`the agent said ${quote(before.text)}, and says ${quote(now.text)}`] : []),
  ];
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
