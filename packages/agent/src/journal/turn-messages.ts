// What one turn adds to a conversation, put together from its pieces. However the turn was cut off, what comes out is
// what every provider takes: each call has exactly one result, right behind the message that asked for it.

import type { CallId, MessageId, TurnId } from "../id/id.ts";
import {
  type AssistantMessage,
  type CallPart,
  type Message,
  type ReasoningPart,
  type ResultMessage,
  type TextPart,
  text,
  type UserMessage,
} from "../message/message.ts";

const INTERRUPTED_CALL =
  "The process was interrupted while this ran; it may or may not have had its effect. Check before doing it again.";
const CALL_NOT_RUN = "Not run: the turn was interrupted.";

/** A call that has not ended yet. */
export interface OpenCall {
  readonly callId: CallId;
  readonly name: string;
  /** It may have had its effect. */
  readonly running: boolean;
}

export class TurnMessages {
  /** Nothing for what was said before any prompt. */
  readonly turnId: TurnId | undefined;
  readonly #prompt: UserMessage | undefined;
  readonly #steps = new Map<MessageId, Step>();
  readonly #calls = new Map<CallId, Call>();

  constructor(turnId?: TurnId, prompt?: UserMessage) {
    this.turnId = turnId;
    this.#prompt = prompt;
  }

  addText(messageId: MessageId, piece: string): void {
    const { parts } = this.#stepOf(messageId);
    const last = parts.at(-1);
    if (last?.type === "text") last.text += piece;
    else parts.push({ type: "text", text: piece });
  }

  /** What comes with an `opaque` is the end of its part. */
  addReasoning(messageId: MessageId, piece: string, opaque: unknown): void {
    const { parts } = this.#stepOf(messageId);
    const last = parts.at(-1);
    if (last?.type !== "reasoning" || last.opaque !== undefined) parts.push({ type: "reasoning", text: piece, opaque });
    else {
      last.text += piece;
      last.opaque = opaque;
    }
  }

  /** Its id must be new. */
  addCall(messageId: MessageId, part: CallPart): void {
    const call: Call = { type: "call", part, running: false, result: undefined };
    this.#calls.set(part.callId, call);
    this.#stepOf(messageId).parts.push(call);
  }

  startCall(callId: CallId): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.running = true;
  }

  /** The first end counts. */
  endCall(callId: CallId, failed: boolean, parts: ResultMessage["parts"]): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.result ??= { role: "result", callId, name: call.part.name, failed, parts };
  }

  get openCalls(): OpenCall[] {
    const open = [...this.#calls.values()].filter(({ result }) => result === undefined);
    return open.map(({ part: { callId, name }, running }) => ({ callId, name, running }));
  }

  /** `remark` says, in the assistant's place, how the turn was cut off. */
  toMessages(remark?: string): Message[] {
    const messages: Message[] = this.#prompt === undefined ? [] : [this.#prompt];
    for (const [id, { parts }] of this.#steps) {
      if (!parts.some(isSubstance)) continue;
      messages.push({ role: "assistant", id, parts: parts.filter(isPresent).map(toPart) });
      for (const part of parts) if (part.type === "call") messages.push(part.result ?? toResult(part));
    }
    return remark === undefined ? messages : withRemark(messages, remark, `${this.turnId}-end` as MessageId);
  }

  #stepOf(messageId: MessageId): Step {
    const known = this.#steps.get(messageId);
    if (known !== undefined) return known;
    const step: Step = { parts: [] };
    this.#steps.set(messageId, step);
    return step;
  }
}

interface Step {
  readonly parts: (Text | Reasoning | Call)[];
}

interface Text {
  readonly type: "text";
  text: string;
}

interface Reasoning {
  readonly type: "reasoning";
  text: string;
  opaque: unknown;
}

interface Call {
  readonly type: "call";
  readonly part: CallPart;
  running: boolean;
  result: ResultMessage | undefined;
}

/** Reasoning alone says nothing to anybody, and providers refuse it. */
function isSubstance(part: Text | Reasoning | Call): boolean {
  return part.type === "call" || (part.type === "text" && part.text.trim() !== "");
}

function isPresent(part: Text | Reasoning | Call): boolean {
  return part.type === "reasoning" ? part.text !== "" || part.opaque !== undefined : isSubstance(part);
}

function toPart(part: Text | Reasoning | Call): TextPart | ReasoningPart | CallPart {
  switch (part.type) {
    case "text":
      return text(part.text);
    case "reasoning":
      return { type: "reasoning", text: part.text, ...(part.opaque !== undefined && { opaque: part.opaque }) };
    case "call":
      return part.part;
  }
}

function toResult({ part: { callId, name }, running }: Call): ResultMessage {
  const parts = [text(running ? INTERRUPTED_CALL : CALL_NOT_RUN)];
  return { role: "result", callId, name, failed: true, parts };
}

/** Joins the last words of the assistant where there are any, so that person and assistant still take turns. */
function withRemark(messages: readonly Message[], remark: string, id: MessageId): Message[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return [...messages, { role: "assistant", id, parts: [text(remark)] }];
  const joined: AssistantMessage = { ...last, parts: [...last.parts, text(`\n\n${remark}`)] };
  return [...messages.slice(0, -1), joined];
}
