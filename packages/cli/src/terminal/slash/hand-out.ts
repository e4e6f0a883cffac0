// Commands that take something out of the conversation: to a file, to the clipboard.

import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { agentText } from "@agentao/acp";
import { copySequence } from "../clipboard.ts";
import { transcriptMarkdown } from "../transcript-markdown.ts";
import { type CommandRoom, type Reply, tell, warn } from "./command.ts";

export async function exportTo(argument: string, { conversation }: CommandRoom): Promise<Reply> {
  const named = argument.replace(/^~(?=\/|$)/, () => homedir());
  const path = resolve(conversation.cwd, named === "" ? `${conversation.sessionId}.md` : named);
  try {
    await writeFile(path, transcriptMarkdown(conversation.transcript, conversation.cwd), { flag: "wx" });
    return tell(`Written to ${path}`);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST") return warn(`${path} is there already; name another file.`);
    return warn(code === "ENOENT" ? `There is no folder ${dirname(path)}; make it, or name another.` : message);
  }
}

export function copyAnswer(_: string, { conversation, write }: CommandRoom): Reply {
  const { items } = conversation.transcript;
  const last = items.findLast((item) => item.type === "message" && item.from === "agent");
  if (last === undefined) return warn("There is no answer yet.");
  const sequence = copySequence(agentText({ ...conversation.transcript, items: [last] }));
  if (sequence === undefined) return warn("The answer is too long for the clipboard.");
  write(sequence);
  return tell("The last answer was handed to the terminal's clipboard.");
}
