// What the demo answers when it is asked for a summary: what was said and done, counted, nothing made up.

import type { Message } from "../../message/message.ts";
import { SUMMARY_MARK } from "../summary-mark.ts";
import { withoutContext } from "../without-context.ts";
import { inline } from "./quote.ts";

const MAX_REQUESTS = 20;
const MAX_EARLIER_CHARS = 2_000;

export function asksForSummary(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === "user" && wordsOf(last).startsWith(SUMMARY_MARK);
}

export function summarise(messages: readonly Message[]): string {
  const said = messages.slice(0, -1);
  const session = said.length > 0 ? fromMessages(said) : fromTranscript(wordsOf(messages.at(-1)));
  const { requests, calls, failures, lastWords, earlier } = session;
  return [
    "The demo puts its summaries together by rules; no model thought about this one.",
    ...(earlier === "" ? [] : [`Before that: ${earlier.slice(0, MAX_EARLIER_CHARS)}`]),
    `Requests of the person:\n${
      requests
        .slice(-MAX_REQUESTS)
        .map((request) => `- ${inline(request)}`)
        .join("\n") || "- none"
    }`,
    `Calls: ${toCounts(calls) || "none"}; ${failures} failed.`,
    ...(lastWords === "" ? [] : [`Said last: ${inline(lastWords)}`]),
  ].join("\n\n");
}

interface Heard {
  readonly requests: readonly string[];
  readonly calls: readonly string[];
  readonly failures: number;
  readonly lastWords: string;
  readonly earlier: string;
}

function fromMessages(messages: readonly Message[]): Heard {
  const people = messages.filter(({ role }) => role === "user").map(wordsOf);
  const assistants = messages.filter((message) => message.role === "assistant");
  return {
    requests: people.filter((words) => words !== "" && !isSummary(words)),
    calls: assistants.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "call" ? [part.name] : []))),
    failures: messages.filter((message) => message.role === "result" && message.failed).length,
    lastWords: assistants.map(wordsOf).findLast((words) => words !== "") ?? "",
    earlier: people.find(isSummary)?.replace(/^[\s\S]*?<summary>\n|\n<\/summary>$/g, "") ?? "",
  };
}

/** The other form of the request: the session is text in its only message. */
function fromTranscript(transcript: string): Heard {
  const linesOf = (pattern: RegExp): string[] => [...transcript.matchAll(pattern)].map(([, caught = ""]) => caught);
  return {
    requests: linesOf(/^Person: (.*)$/gm),
    calls: linesOf(/^Call of (\w+):/gm),
    failures: linesOf(/^Result of (\w+) \(failed\):/gm).length,
    lastWords: linesOf(/^Assistant: (.*)$/gm).at(-1) ?? "",
    earlier: linesOf(/<summary>\n([\s\S]*?)\n<\/summary>/g)[0] ?? "",
  };
}

function isSummary(words: string): boolean {
  return words.includes("<summary>\n") && words.endsWith("</summary>");
}

/** `read_file 2, replace 1`. */
function toCounts(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `${name} ${names.filter((other) => other === name).length}`).join(", ");
}

function wordsOf(message: Message | undefined): string {
  const parts = message?.parts ?? [];
  return withoutContext(parts.map((part) => (part.type === "text" ? part.text : "")).join("\n\n"));
}
