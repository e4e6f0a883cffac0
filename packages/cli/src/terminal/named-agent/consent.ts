// The person's yes to an agent that a project brings, before its command is run: asked once, and again when it would run
// something else. A name that looks like a file's must not start a stranger's program.

import { redact } from "@agentao/agent/program";
import { openAgentConsent, toCommandLine } from "../../drive/agent-consent.ts";
import type { ServerConfig } from "../../drive/server-config.ts";
import { toVisibleWord } from "../../text/split-words.ts";
import type { Choice } from "../question/form-step.ts";
import { toMark } from "./address.ts";

export interface ConsentRoom {
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  say(text: string): void;
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined>;
}

/** No comes first: whoever goes on typing must not start anything. */
const CHOICES: readonly Choice[] = [
  { id: "no", label: "No" },
  { id: "once", label: "Yes, in this chat" },
  { id: "yes", label: "Yes, and do not ask again" },
];

export async function askConsent(server: ServerConfig, room: ConsentRoom): Promise<boolean> {
  const consent = await openAgentConsent(server, { cwd: room.project, env: room.env });
  if (await consent.isGiven()) return true;
  room.say(describeServer(server));
  const answer = await room.choose(`Start ${toMark(server.name)}?`, CHOICES);
  if (answer === "yes") await consent.give();
  return answer === "yes" || answer === "once";
}

/** What would be run, with nothing in it that a screen would hide. */
export function describeServer({ name, command, args, cwd, env }: ServerConfig): string {
  const values = Object.entries(env).map(([variable, value]) => redact(`${variable}=${value}`));
  return [
    `${toMark(name)} is an agent that this project brings. To answer you it would run, as you:`,
    toCommandLine({ command, args }),
    ...(cwd === "." ? [] : [`in ${toVisibleWord(cwd)}`]),
    ...(values.length === 0 ? [] : [`with ${values.map(toVisibleWord).join(" ")}`]),
  ].join("\n");
}
