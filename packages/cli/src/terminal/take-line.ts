// What a line that was typed is for: a command of ours, another agent, or the agent of the session.

import type { Front } from "../front/front.ts";
import type { Conversation } from "./conversation.ts";
import { toPromptContent } from "./input/prompt-content.ts";
import { toMark } from "./named-agent/address.ts";
import type { NamedAgents } from "./named-agent/named-agents.ts";
import type { CommandRoom } from "./slash/command.ts";
import { answerUnknown, findSlashCommand } from "./slash/index.ts";

export interface LineRoom {
  readonly front: Front;
  readonly conversation: Conversation;
  readonly agents: NamedAgents;
  commandRoom(): CommandRoom;
}

/** Resolves when it was done, answered or kept for later. Rejects with what is to be told. */
export async function takeLine(text: string, { front, conversation, agents, commandRoom }: LineRoom): Promise<void> {
  const { commands } = conversation.transcript;
  const found = findSlashCommand(text, commands);
  const reply =
    found === undefined ? answerUnknown(text, commands) : await found.command.run(found.argument, commandRoom());
  if (reply !== undefined) conversation.add(reply);
  if (reply !== undefined || found !== undefined) return;
  const addressed = await agents.find(text);
  if (addressed !== undefined) {
    if (addressed.words === "") return conversation.say(whatIs(addressed.server), "warning");
    if (!(await agents.mayAsk(addressed, commandRoom()))) return;
    const answer = (signal: AbortSignal) => agents.ask(addressed, signal);
    return conversation.prompt({ text, blocks: [{ type: "text", text }], answer });
  }
  await promptWith(text, { front, conversation });
}

/** To the agent of the session, with the files that are named in it. */
export async function promptWith(
  text: string,
  { front, conversation }: Pick<LineRoom, "front" | "conversation">,
): Promise<void> {
  const takesImages = front.client.agentSupports("promptCapabilities.image");
  const { blocks, problems } = await toPromptContent(text, { cwd: conversation.cwd, takesImages });
  for (const problem of problems) conversation.say(problem, "warning");
  await conversation.prompt({ text, blocks });
}

function whatIs({ name, description }: { readonly name: string; readonly description: string }): string {
  const about = description === "" ? "" : ` (${description})`;
  return `${toMark(name)} is an agent of acp.json${about}. Write behind its name what it is to do; a file of that name is @./${name}.`;
}
