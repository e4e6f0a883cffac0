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
  /** What we told the model together with the prompt. */
  readonly promptAsides: string[] = [];
  #prompt: UserMessage | undefined;
  #asides = 0;
  readonly #steps = new Map<MessageId, Step | UserMessage>();
  readonly #calls = new Map<CallId, Call>();

  constructor(turnId?: TurnId, prompt?: UserMessage) {
    this.turnId = turnId;
    this.#prompt = prompt;
  }

  /** Joins the prompt until the assistant has begun; later it is a message of its own between two steps. */
  addAside(said: string, apart = false): void {
    if (this.#prompt !== undefined && this.#steps.size === 0 && !apart) {
      this.#prompt = { ...this.#prompt, parts: [...this.#prompt.parts, text(said)] };
      this.promptAsides.push(said);
      return;
    }
    const id = `${this.turnId}${ASIDE}${++this.#asides}` as MessageId;
    this.#steps.set(id, { role: "user", id, parts: [text(said)] });
  }

  addText(messageId: MessageId, piece: string): void {
    const { parts } = this.#changeStep(messageId);
    const last = parts.at(-1);
    if (last?.type === "text") last.text += piece;
    else parts.push({ type: "text", text: piece });
  }

  /** What comes with an `opaque` is the end of its part. */
  addReasoning(messageId: MessageId, piece: string, opaque: unknown): void {
    const { parts } = this.#changeStep(messageId);
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
    this.#changeStep(messageId).parts.push(call);
  }

  startCall(callId: CallId): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.running = true;
  }

  /** The first end counts. */
  endCall(callId: CallId, failed: boolean, parts: ResultMessage["parts"], { trimmed = false } = {}): void {
    const call = this.#calls.get(callId);
    if (call === undefined || call.result !== undefined) return;
    const result: ResultMessage = { role: "result", callId, name: call.part.name, failed, parts };
    call.result = trimmed ? trimResult(result) : result;
  }

  trimCall(callId: CallId): void {
    const call = this.#calls.get(callId);
    if (call?.result !== undefined) call.result = trimResult(call.result);
  }

  get openCalls(): OpenCall[] {
    const open = [...this.#calls.values()].filter(({ result }) => result === undefined);
    return open.map(({ part: { callId, name }, running }) => ({ callId, name, running }));
  }

  /** `remark` says, in the assistant's place, how the turn was cut off. */
  toMessages(remark?: string): Message[] {
    const messages: Message[] = this.#prompt === undefined ? [] : [this.#prompt];
    for (const [id, step] of this.#steps) {
      const message = toMessage(id, step);
      if (message === undefined) continue;
      messages.push(message);
      if (isStep(step)) for (const part of step.parts) if (part.type === "call") messages.push(toResult(part));
    }
    return remark === undefined ? messages : withRemark(messages, remark, `${this.turnId}-end` as MessageId);
  }

  /** Whether one of its messages, as they are now, has this id. */
  has(id: MessageId): boolean {
    const step = this.#steps.get(id);
    return (step !== undefined && toMessage(id, step) !== undefined) || this.#prompt?.id === id;
  }

  /** Forgets what was said through the message that has this id. The prompt stays: it is what is being worked on. */
  dropThrough(through: MessageId): void {
    if (!this.#steps.has(through)) return;
    for (const [id, step] of this.#steps) {
      this.#steps.delete(id);
      if (isStep(step)) for (const part of step.parts) this.#forget(part);
      if (id === through) return;
    }
  }

  /** A call that still runs is known until it ended. */
  #forget(part: Text | Reasoning | Call): void {
    if (part.type === "call" && part.result !== undefined) this.#calls.delete(part.part.callId);
  }

  #changeStep(messageId: MessageId): Step {
    const known = this.#steps.get(messageId);
    if (known !== undefined && isStep(known)) {
      known.message = undefined;
      return known;
    }
    const step: Step = { parts: [], message: undefined };
    this.#steps.set(messageId, step);
    return step;
  }
}

const ASIDE = ":aside:";

/** Whether we said it to the model, and no person did. */
export function isAside(message: Message): message is UserMessage {
  return message.role === "user" && message.id.includes(ASIDE);
}

interface Step {
  readonly parts: (Text | Reasoning | Call)[];
  /** What it was told as last, until it changes: the same message is the same object. */
  message: AssistantMessage | undefined;
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

function isStep(step: Step | UserMessage): step is Step {
  return !("role" in step);
}

/** Nothing for a step that says and does nothing. */
function toMessage(id: MessageId, step: Step | UserMessage): Message | undefined {
  if (!isStep(step)) return step;
  if (step.message === undefined && step.parts.some(isSubstance)) {
    step.message = { role: "assistant", id, parts: step.parts.filter(isPresent).map(toPart) };
  }
  return step.message;
}

function toResult({ part: { callId, name }, running, result }: Call): ResultMessage {
  if (result !== undefined) return result;
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

/** What is longer can be trimmed; an image is as long as its data. */
const TRIM_ABOVE_CHARS = 3_000;
const TRIMMED_HEAD_CHARS = 600;
const TRIMMED_TAIL_CHARS = 2_400;
/** Less than this is not worth the line that says so. */
const LEAST_LEFT_OUT_CHARS = 100;

/** Head and tail of a long result, without its images. One that is short, or was trimmed before, comes back itself. */
export function trimResult(result: ResultMessage): ResultMessage {
  if (lengthOf(result) <= TRIM_ABOVE_CHARS) return result;
  const hasImage = result.parts.some(({ type }) => type === "image");
  const all = result.parts.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
  const headEnd = borderBefore(all, TRIMMED_HEAD_CHARS);
  const tailStart = borderBefore(all, all.length - TRIMMED_TAIL_CHARS);
  const leftOut = tailStart - headEnd;
  if (leftOut < LEAST_LEFT_OUT_CHARS) return hasImage ? { ...result, parts: [text(all)] } : result;
  const gap = `\n[… ${leftOut} characters left out …]\n`;
  return { ...result, parts: [text(all.slice(0, headEnd) + gap + all.slice(tailStart))] };
}

function lengthOf({ parts }: ResultMessage): number {
  return parts.reduce((sum, part) => sum + (part.type === "text" ? part.text : part.data).length, 0);
}

/** Never inside of a character. */
function borderBefore(all: string, at: number): number {
  const code = all.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
