// The conversation as a model reads it: prompts are rendered once, however often they are sent.

import type { Message } from "../message/message.ts";
import { promptContent } from "../message/prompt-content.ts";

/** Remembers what it rendered, for as long as the message lives: the same message is always the same object. */
export class ReadMessages {
  readonly #read = new WeakMap<Message, Message>();

  of(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => (message.role === "user" ? this.#render(message) : message));
  }

  #render(message: Extract<Message, { role: "user" }>): Message {
    const known = this.#read.get(message);
    if (known !== undefined) return known;
    const read = { ...message, parts: promptContent(message.parts) };
    this.#read.set(message, read);
    return read;
  }
}
