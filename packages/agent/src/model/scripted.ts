// A model that plays a script: no key, no network, the same every time. For tests of the loop, and of anybody's host.

import type { Message } from "../message/message.ts";
import type { Chunk } from "./chunk.ts";
import { type Delay, realDelay } from "./delay.ts";
import type { Model, ModelInfo, ModelRequest } from "./model.ts";
import { play } from "./play.ts";
import { type Condition, type Reply, type Script, type Step, text } from "./script.ts";
import { SCRIPTED_INFO } from "./scripted-info.ts";
import { withoutContext } from "./without-context.ts";

export interface ScriptedOptions {
  readonly info?: Partial<ModelInfo> | undefined;
  /** How texts become deltas; by words. */
  readonly chunk?: Chunk | undefined;
  readonly delay?: Delay | undefined;
}

export interface ScriptedModel extends Model {
  /** Every request so far, as it was when it was made. */
  readonly asked: ModelRequest[];
}

/** The position in the script belongs to the model: sessions that share it take replies from one script. */
export function scriptedModel(script: Script, options: ScriptedOptions = {}): ScriptedModel {
  const asked: ModelRequest[] = [];
  const model = playScript(script, options);
  return {
    info: model.info,
    asked,
    stream(request, signal) {
      asked.push({ ...request, messages: request.messages.slice(), tools: request.tools.slice() });
      return model.stream(request, signal);
    },
  };
}

/** The same without the record, for models that live long. */
export function playScript(script: Script, options: ScriptedOptions = {}): Model {
  const { chunk = "word", delay = realDelay } = options;
  const nextReply = createPrompter(script);
  let calls = 0;
  const stage = { chunk, delay, nextCallId: () => `call_${++calls}` };
  return {
    info: { ...SCRIPTED_INFO, ...options.info },
    stream: (request, signal) => play(nextReply(request), request, signal, stage),
  };
}

function createPrompter(script: Script): (request: ModelRequest) => readonly Step[] {
  const conditional = script.filter(isConditional).map((reply) => ({ reply, uses: 0 }));
  const inOrder = script.filter((reply): reply is readonly Step[] => !isConditional(reply));
  let position = 0;
  return ({ messages }) => {
    const fitting = conditional.filter(({ reply }) => holds(reply.when, messages));
    const [first, ...others] = fitting;
    if (first === undefined) return inOrder[position++] ?? [text(overText(script.length))];
    const chosen = others.reduce((best, other) => (other.uses < best.uses ? other : best), first);
    chosen.uses++;
    return chosen.reply.steps;
  };
}

type ConditionalReply = Exclude<Reply, readonly Step[]>;

function isConditional(reply: Reply): reply is ConditionalReply {
  return "when" in reply;
}

function holds({ lastUserText, lastResult }: Condition, messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== (lastResult === undefined ? "user" : "result")) return false;
  if (lastResult !== undefined && !finds(lastResult, textOf(last))) return false;
  return lastUserText === undefined || finds(lastUserText, wordsOfPerson(messages));
}

/** What the person said last; what agentao told beside it, or in between, does not count. */
function wordsOfPerson(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "user" && withoutContext(textOf(message)) !== "");
  return withoutContext(textOf(last));
}

/** Unlike `test`, does not depend on where a global expression stopped the last time. */
function finds(pattern: RegExp, text: string): boolean {
  return text.search(pattern) >= 0;
}

function textOf(message: Message | undefined): string {
  const parts = message?.parts ?? [];
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function overText(replies: number): string {
  return `The script is over: it has ${replies} ${replies === 1 ? "reply" : "replies"}, and none is left for this request.`;
}
