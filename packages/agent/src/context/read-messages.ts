// The conversation as a model reads it: prompts are rendered once, however often they are sent.

import type { Message } from "../message/message.ts";
import { promptContent } from "../message/prompt-content.ts";

/** Remembers what it rendered; a history grows at its end, so most of it is there already. */
export class ReadMessages {
  #seen: readonly Message[] = [];
  #read: Message[] = [];

  of(messages: readonly Message[]): readonly Message[] {
    const before = this.#read;
    const read = new Array<Message>(messages.length);
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as Message;
      const known = this.#seen[at] === message ? before[at] : undefined;
      read[at] = known ?? render(message);
    }
    this.#seen = messages;
    this.#read = read;
    return read;
  }
}

function render(message: Message): Message {
  return message.role === "user" ? { ...message, parts: promptContent(message.parts) } : message;
}
