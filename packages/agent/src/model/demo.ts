// The model of the first run: needs no key and no network, follows a few rules, and works through the same tools, gate
// and diffs as a real one. It remembers nothing: where it stands, it reads from the messages.

import type {
  AssistantMessage,
  CallPart,
  Message,
  PromptPart,
  ResultMessage,
  UserMessage,
} from "../message/message.ts";
import { type Delay, realDelay } from "./delay.ts";
import { parseWish } from "./demo/parse-wish.ts";
import { SENTENCES } from "./demo/sentence.ts";
import { type Act, type Outcome, type Story, tell } from "./demo/story.ts";
import { asksForSummary, summarise } from "./demo/summary.ts";
import type { Model, ModelRequest } from "./model.ts";
import { play } from "./play.ts";
import { call, type Step, text } from "./script.ts";
import { DEMO_INFO } from "./scripted-info.ts";
import { withoutContext } from "./without-context.ts";

export interface DemoOptions {
  readonly delay?: Delay | undefined;
  /** Between two words where the demo counts; everything else comes without delay. */
  readonly paceMs?: number | undefined;
}

export function demoModel(options: DemoOptions = {}): Model {
  const { delay = realDelay, paceMs = 40 } = options;
  return {
    info: DEMO_INFO,
    stream(request, signal) {
      let calls = countCalls(request.messages);
      const stage = { chunk: "word", delay, nextCallId: () => `call_${++calls}` } as const;
      return play(toReply(request, paceMs), request, signal, stage);
    },
  };
}

function toReply({ messages, tools }: ModelRequest, paceMs: number): readonly Step[] {
  if (asksForSummary(messages)) return [text(summarise(messages))];
  const asked = messages.findLastIndex((message) => message.role === "user" && !isContext(message));
  const prompt = messages[asked];
  const { wish, language } = parseWish(prompt?.role === "user" ? wordsOf(prompt) : "");
  const say = SENTENCES[language];
  const story = tell(wish, { tools: new Set(tools.map(({ name }) => name)), say, paceMs });
  const steps = continueStory(story, outcomesOf(messages.slice(asked + 1)));
  const isFirstAnswer = asked === 0 && !messages.some(({ role }) => role === "assistant");
  // A failure comes before any word: what has begun to answer is not tried again.
  return isFirstAnswer && wish.type !== "fail" ? [text(`${say.introduction}\n\n`), ...steps] : steps;
}

/** Tells the story again up to the point where outcomes are missing. */
function continueStory(story: Story, outcomes: readonly Outcome[]): readonly Step[] {
  let heard = 0;
  let next = story.next();
  while (!next.done) {
    const { calls } = next.value;
    if (heard + calls.length > outcomes.length) return perform(next.value);
    next = story.next(outcomes.slice(heard, heard + calls.length));
    heard += calls.length;
  }
  return next.value;
}

function perform({ say, calls }: Act): readonly Step[] {
  return [...say, ...calls.map(({ name, input }) => call(name, input))];
}

/** What came of the calls, in the order in which they were made. */
function outcomesOf(messages: readonly Message[]): readonly Outcome[] {
  const results = new Map(
    messages.filter((message) => message.role === "result").map((result) => [result.callId, result]),
  );
  return messages
    .filter((message) => message.role === "assistant")
    .flatMap(callsOf)
    .map(({ callId }) => toOutcome(results.get(callId)));
}

function callsOf(message: AssistantMessage): readonly CallPart[] {
  return message.parts.filter((part) => part.type === "call");
}

/** A denial is told in words only, at the beginning; an error says that it is one. */
const DENIAL =
  /\b(?:denied|declined|rejected|refused by|not (?:allowed|permitted)|blocked|forbidden|cancelled)\b|拒绝|不允许/i;

function toOutcome(result: ResultMessage | undefined): Outcome {
  if (result === undefined) return { type: "failed", told: "There is no result." };
  const told = result.parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
  if (!result.failed) return { type: "done", told };
  const [firstLine = ""] = told.split("\n", 1);
  return { type: DENIAL.test(firstLine) && !firstLine.startsWith("Error") ? "denied" : "failed", told };
}

/** Something the program told, and no person did. */
function isContext({ parts }: UserMessage): boolean {
  const [only, ...others] = parts;
  return only?.type === "text" && others.length === 0 && only.text !== "" && withoutContext(only.text) === "";
}

/** A file that came with the prompt stands for its name. */
function wordsOf({ parts }: UserMessage): string {
  return parts
    .map(wordOf)
    .filter((word) => word !== "")
    .join(" ");
}

function wordOf(part: PromptPart): string {
  switch (part.type) {
    case "text":
      return withoutContext(part.text);
    case "link":
    case "resource": {
      const path = pathOf(part.uri);
      return /\s/.test(path) ? `\`${path}\`` : path;
    }
    case "image":
    case "audio":
      return "";
  }
}

function pathOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  try {
    return decodeURIComponent(new URL(uri).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return uri;
  }
}

function countCalls(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.role === "assistant" ? callsOf(message).length : 0), 0);
}
