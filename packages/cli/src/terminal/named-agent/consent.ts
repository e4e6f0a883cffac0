// The person's yes to an agent that a project brings, before its command is run: asked once, and again when it would run
// something else. A name that looks like a file's must not start a stranger's program.

import { createHash } from "node:crypto";
import type { ServerConfig } from "../../drive/server-config.ts";
import { findHome } from "../../home.ts";
import type { Choice } from "../question/form-step.ts";
import { toMark } from "./address.ts";

export interface ConsentRoom {
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  say(text: string): void;
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined>;
}

const CHOICES: readonly Choice[] = [
  { id: "yes", label: "Yes, and do not ask again" },
  { id: "once", label: "Yes, in this chat" },
  { id: "no", label: "No" },
];

export async function askConsent(server: ServerConfig, room: ConsentRoom): Promise<boolean> {
  const { createConsent } = await import("@agentao/agent/mcp");
  const consent = createConsent(findHome(room.env), "acp-consent.json");
  const subject = { name: server.name, fingerprint: fingerprintOf(server) };
  if (await consent.isGiven(room.project, subject)) return true;
  const { command, args, cwd, env } = server;
  const names = Object.keys(env);
  const about = [
    `${toMark(server.name)} is an agent that this project brings. To answer you it would run, as you:`,
    [command, ...args].join(" "),
    ...(cwd === "." ? [] : [`in ${cwd}`]),
    ...(names.length === 0 ? [] : [`with ${names.join(", ")} set`]),
  ];
  room.say(about.join("\n"));
  const answer = await room.choose(`Start ${toMark(server.name)}?`, CHOICES);
  if (answer === "yes") await consent.give(room.project, subject);
  return answer === "yes" || answer === "once";
}

function fingerprintOf({ command, args, cwd, env, lend }: ServerConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([command, args, cwd, env, lend]))
    .digest("hex");
}
