// The agent of a session is gone: what to do now, and why, where that was not told with a turn.

import { type Conversation, toWords } from "./conversation.ts";

const NEXT = "The agent has ended. Leave with Ctrl+D, and start again to go on.";

export function tellEnd(conversation: Conversation, cause: unknown): void {
  const why = toWords(cause);
  const last = conversation.entries.at(-1);
  // A turn that is still open ends by it, and tells it.
  const isTelling = conversation.runningMs !== undefined;
  const isTold = last?.type === "note" && last.note.type === "note" && last.note.text.includes(why);
  conversation.say(isTelling || isTold ? NEXT : `${NEXT}\n${why}`, "error");
}
