// The command of ours that a prompt is, and the name of a session, which is never a command.

import type { History } from "../journal/fold.ts";
import { toTitle } from "../journal/title.ts";
import type { UserMessage } from "../message/message.ts";
import { findCommand } from "./command.ts";

/** Asides that were told with it do not make it another prompt. */
export function commandIn({ parts }: UserMessage) {
  const [only, ...others] = parts;
  const isAlone = others.every((part) => part.type === "text" && part.text.startsWith("<context>"));
  return only?.type === "text" && isAlone ? findCommand(only.text) : undefined;
}

/** A session is called after its first prompt. Nothing where it has a name, or this gives it none. */
export function titleFor(history: History, message: UserMessage): string | undefined {
  if (history.title !== undefined || history.summarised || commandIn(message) !== undefined) return undefined;
  // An imported session has earlier prompts, and no name yet.
  const first = history.messages.find((one): one is UserMessage => one.role === "user" && commandIn(one) === undefined);
  return toTitle(first ?? message) || undefined;
}
