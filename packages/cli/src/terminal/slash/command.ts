// What a command of this program is. Everything one does is a request of the protocol, or a look at the transcript.

import type { AcpClient } from "@agentao/acp";
import type { Conversation, Note } from "../conversation.ts";
import type { OfferedCommand } from "../input/completion.ts";
import type { Choice } from "../question/form-step.ts";

export interface CommandRoom {
  readonly client: AcpClient;
  readonly conversation: Conversation;
  /** The agent's and ours. */
  readonly commands: readonly OfferedCommand[];
  /** Asks the person; nothing when they do not choose. */
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined>;
  /** As if it had been typed, to the agent of the session. */
  prompt(text: string): Promise<void>;
  /** Straight to the terminal. */
  write(text: string): void;
  exit(): void;
}

/** What a command has to say; nothing where what it did is to be seen. */
export type Reply = Note | undefined;

export interface SlashCommand extends OfferedCommand {
  run(argument: string, room: CommandRoom): Promise<Reply> | Reply;
  /** Whether it comes before a command of the agent with the same name. */
  readonly isFirst?: boolean | undefined;
}

export function tell(text: string): Reply {
  return { type: "note", severity: "info", text };
}

export function warn(text: string): Reply {
  return { type: "note", severity: "warning", text };
}

export function show(markdown: string): Reply {
  return { type: "rich", text: markdown };
}
