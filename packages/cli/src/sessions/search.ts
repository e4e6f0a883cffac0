// Finds words in stored sessions, an entry at a time: memory does not grow with what is searched.

import type { Entry, ListedSession } from "@agentao/agent";
import { redactText } from "../secret/redact-frame.ts";
import { toPlain } from "../text/plain.ts";
import type { Sessions } from "./folder.ts";
import { readSession } from "./read-session.ts";

export interface Hit {
  readonly session: ListedSession;
  readonly at: number;
  /** Who said it: you, agent, thought, call, result, title. */
  readonly who: string;
  /** One line, without what looks like a secret. */
  readonly excerpt: string;
}

export interface SearchQuery {
  readonly words: string;
  readonly isCaseSensitive: boolean;
}

/** In the order of the sessions, then of time. What cannot be read is passed over. */
export async function* searchSessions(
  sessions: Sessions,
  listed: readonly ListedSession[],
  query: SearchQuery,
  signal: AbortSignal,
): AsyncGenerator<Hit, void> {
  for (const session of listed) {
    const finder = createFinder(query);
    try {
      for await (const entries of readSession(sessions, session.id)) {
        if (signal.aborted) return;
        for (const entry of entries) {
          for (const { who, excerpt } of finder(entry)) yield { session, at: entry.at, who, excerpt };
        }
      }
    } catch {
      // It was deleted meanwhile, or is not ours to read.
    }
  }
}

interface Found {
  readonly who: string;
  readonly excerpt: string;
}

/** Messages are written in pieces; what is cut by a piece's end is found too. At most one hit for each text. */
export function createFinder({ words, isCaseSensitive }: SearchQuery): (entry: Entry) => readonly Found[] {
  const fold = (text: string): string => (isCaseSensitive ? text : text.toLowerCase());
  const wanted = fold(words);
  let last: { readonly id: string; readonly end: string; readonly isFound: boolean } | undefined;
  return (entry) => {
    const found: Found[] = [];
    for (const { who, text, id } of textsOf(entry)) {
      const isNext = id !== undefined && last?.id === id;
      const whole = isNext ? last?.end + text : text;
      const at = isNext && last?.isFound ? -1 : fold(whole).indexOf(wanted);
      if (at >= 0) found.push({ who, excerpt: toExcerpt(whole, at, words.length) });
      const end = whole.slice(-(words.length + AROUND));
      if (id !== undefined) last = { id, end, isFound: at >= 0 || (isNext && last?.isFound === true) };
    }
    return found;
  };
}

const AROUND = 50;

function toExcerpt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = at + length + AROUND;
  const line = toPlain(redactText(text.slice(from, to)))
    .replace(/\s+/g, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${line}${to < text.length ? "…" : ""}`;
}

interface Said {
  readonly who: string;
  readonly text: string;
  /** Of the message it is a piece of. */
  readonly id?: string;
}

function textsOf(entry: Entry): readonly Said[] {
  switch (entry.type) {
    case "prompt":
      return entry.message.parts.flatMap((part) =>
        part.type === "text" || part.type === "resource" ? [{ who: "you", text: part.text ?? "" }] : [],
      );
    case "text":
      return [{ who: "agent", text: entry.text, id: entry.messageId }];
    case "reasoning":
      return [{ who: "thought", text: entry.text, id: `thought of ${entry.messageId}` }];
    case "call":
      return [{ who: "call", text: `${entry.call.title ?? entry.call.name} ${entry.rawInput}` }];
    case "call-ended":
      return entry.told.flatMap((part) => (part.type === "text" ? [{ who: "result", text: part.text }] : []));
    case "title":
      return [{ who: "title", text: entry.title }];
    default:
      return [];
  }
}
