// A history as every provider accepts it: person and model take turns, every call is followed by its result, nothing is
// empty. Histories are cut off, imported and edited; what is missing is made up here, what has no place is left out.

import {
  type AssistantMessage,
  type AudioPart,
  type CallPart,
  type ImagePart,
  type Message,
  type ReasoningPart,
  type ResultMessage,
  type TextPart,
  text,
} from "../message/message.ts";
import { promptContent } from "../message/prompt-content.ts";

export type SaidPart = TextPart | ImagePart | AudioPart;

/** A call and what came of it. `id` is unique in the history, and made of letters, digits, `_` and `-`. */
export interface AnsweredCall {
  readonly type: "call";
  readonly id: string;
  readonly call: CallPart;
  readonly failed: boolean;
  readonly result: readonly (TextPart | ImagePart)[];
}

export type Turn =
  | { readonly role: "user"; readonly parts: readonly SaidPart[] }
  | { readonly role: "assistant"; readonly parts: readonly (TextPart | ReasoningPart | AnsweredCall)[] };

const CUT_OFF = "No result: the call was cut off before it ended.";
const NO_OUTPUT = "(no output)";
/** Stands where a person has to speak and nobody did. */
const GO_ON = "Continue.";

/** Begins with the user; ends with the user, or with calls. */
export function repairHistory(messages: readonly Message[]): Turn[] {
  const answers = matchResults(messages);
  const usedIds = new Set<string>();
  const turns: MutableTurn[] = [];
  for (const message of messages) {
    if (message.role === "user") {
      addTurn(turns, "user", promptContent(message.parts).filter(isSaying));
    } else if (message.role === "assistant") {
      addTurn(turns, "assistant", assistantParts(message, answers, usedIds));
    }
  }
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", parts: [text(GO_ON)] });
  const last = turns.at(-1);
  if (last?.role === "assistant" && !hasCalls(last)) turns.push({ role: "user", parts: [text(GO_ON)] });
  return turns as Turn[];
}

interface MutableTurn {
  role: Turn["role"];
  parts: (SaidPart | ReasoningPart | AnsweredCall)[];
}

/** The result of a call is the first one behind it with its id, unless another call takes that id over. */
function matchResults(messages: readonly Message[]): Map<CallPart, ResultMessage> {
  const answers = new Map<CallPart, ResultMessage>();
  const open = new Map<string, CallPart[]>();
  for (const message of messages) {
    if (message.role === "assistant") {
      const calls = message.parts.filter((part) => part.type === "call");
      for (const call of calls) open.set(call.callId, []);
      for (const call of calls) open.get(call.callId)?.push(call);
    } else if (message.role === "result") {
      const call = open.get(message.callId)?.shift();
      if (call !== undefined) answers.set(call, message);
    }
  }
  return answers;
}

function addTurn(turns: MutableTurn[], role: Turn["role"], parts: MutableTurn["parts"]): void {
  if (parts.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role && !hasCalls(last)) last.parts.push(...parts);
  else turns.push({ role, parts });
}

function hasCalls(turn: MutableTurn): boolean {
  return turn.parts.some((part) => part.type === "call");
}

function assistantParts(
  message: AssistantMessage,
  answers: Map<CallPart, ResultMessage>,
  usedIds: Set<string>,
): MutableTurn["parts"] {
  const words: MutableTurn["parts"] = [];
  const calls: MutableTurn["parts"] = [];
  for (const part of message.parts) {
    if (part.type === "call") calls.push(answeredCall(part, answers.get(part), usedIds));
    else if (part.type === "reasoning") (calls.length > 0 ? calls : words).push(part);
    // Text behind a call would stand between the call and its result.
    else if (isSaying(part)) words.push(part);
  }
  const parts = [...words, ...calls];
  // Reasoning that led to nothing: no provider takes it at the end of a message.
  while (parts.at(-1)?.type === "reasoning") parts.pop();
  return parts;
}

function answeredCall(call: CallPart, answer: ResultMessage | undefined, usedIds: Set<string>): AnsweredCall {
  const id = uniqueId(call.callId, usedIds);
  if (answer === undefined) return { type: "call", id, call, failed: true, result: [text(CUT_OFF)] };
  const result = answer.parts.filter(isSaying) as (TextPart | ImagePart)[];
  return { type: "call", id, call, failed: answer.failed, result: result.length > 0 ? result : [text(NO_OUTPUT)] };
}

/** OpenAI takes 64 characters. */
const MAX_ID_LENGTH = 64;

function uniqueId(callId: string, used: Set<string>): string {
  const plain = callId.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_ID_LENGTH) || "call";
  let id = plain;
  for (let copy = 2; used.has(id); copy++) {
    const ending = `_${copy}`;
    id = plain.slice(0, MAX_ID_LENGTH - ending.length) + ending;
  }
  used.add(id);
  return id;
}

function isSaying(part: SaidPart): boolean {
  return part.type === "text" ? part.text.trim() !== "" : true;
}
