// What a session is called until somebody names it. Pure.

import type { UserMessage } from "../message/message.ts";

const MAX_TITLE_CHARACTERS = 80;

/** The first line of the prompt's text. Nothing when there is no text. */
export function toTitle(message: UserMessage): string | undefined {
  for (const part of message.parts) {
    const line = part.type === "text" ? firstLine(part.text) : "";
    if (line !== "") return boundTitle(line);
  }
  return undefined;
}

/** One line of at most `MAX_TITLE_CHARACTERS`; an ellipsis says that there was more. */
export function boundTitle(title: string): string {
  const line = title
    .slice(0, 10 * MAX_TITLE_CHARACTERS)
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_TITLE_CHARACTERS) return line;
  return `${characters
    .slice(0, MAX_TITLE_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}

function firstLine(text: string): string {
  return /\S[^\r\n]*/.exec(text)?.[0] ?? "";
}
