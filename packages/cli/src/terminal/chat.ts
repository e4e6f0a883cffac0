// What every front of a chat is made of: the conversation with the agent of the session, the other agents that can be
// named in it, and what is done with a line that was typed.

import type { Front } from "../front/front.ts";
import { Conversation, toWords } from "./conversation.ts";
import { NamedAgents } from "./named-agent/named-agents.ts";
import type { Questions } from "./question/question.ts";
import type { CommandRoom } from "./slash/command.ts";
import { offeredCommands } from "./slash/index.ts";
import { promptWith, takeLine } from "./take-line.ts";

export interface ChatParts {
  readonly front: Front;
  readonly questions: Questions;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Something to show has changed. Called often; must be cheap. */
  readonly onChange: () => void;
  /** What commands want of whoever shows the chat. */
  readonly surface: Pick<CommandRoom, "choose" | "write" | "exit">;
}

export class Chat {
  readonly conversation: Conversation;
  readonly agents: NamedAgents;
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { front, questions, env, onChange } = parts;
    const { sessionId, cwd, configOptions, modeIds } = front;
    const session = { sessionId, cwd, configOptions, modeIds, modeId: undefined };
    this.conversation = new Conversation(front.client, session, { now: () => performance.now(), onChange });
    this.agents = new NamedAgents({ conversation: this.conversation, questions, env });
  }

  /** What a line asks for. Resolves when it was done, answered or kept for later. */
  take(line: string): Promise<void> {
    const { front } = this.#parts;
    const { conversation, agents } = this;
    return this.guard(() => takeLine(line, { front, conversation, agents, commandRoom: () => this.commandRoom() }));
  }

  /** What goes wrong is told. */
  async guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (cause) {
      this.conversation.say(toWords(cause), "error");
    }
  }

  commandRoom(): CommandRoom {
    const { front, surface } = this.#parts;
    const { conversation } = this;
    return {
      ...surface,
      client: front.client,
      conversation,
      commands: offeredCommands(conversation.transcript.commands),
      prompt: (text) => promptWith(text, { front, conversation }),
    };
  }
}
