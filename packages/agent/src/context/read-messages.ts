// The conversation as a model reads it: prompts are rendered once, however often they are sent.

import type { Message } from "../message/message.ts";
import { promptContent } from "../message/prompt-content.ts";

/** Remembers what it rendered. The same message is the same object, and most of a history stays where it was. */
export class ReadMessages {
  readonly #rendered = new WeakMap<Message, Message>();
  #seen: readonly Message[] = [];
  #read: readonly Message[] = [];

  of(messages: readonly Message[]): readonly Message[] {
    if (messages === this.#seen) return this.#read;
    const [seen, before] = [this.#seen, this.#read];
    const read = new Array<Message>(messages.length);
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as Message;
      read[at] = seen[at] === message ? (before[at] as Message) : this.#render(message);
    }
    this.#seen = messages;
    this.#read = read;
    return read;
  }

  #render(message: Message): Message {
    if (message.role !== "user") return message;
    const known = this.#rendered.get(message);
    if (known !== undefined) return known;
    const read = { ...message, parts: promptContent(message.parts) };
    this.#rendered.set(message, read);
    return read;
  }
}
